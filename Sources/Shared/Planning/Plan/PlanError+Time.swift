import CompositionModel
import Timing

/// Runs time arithmetic whose error is the planner's.
func exact<Value>(_ body: () throws(TimeError) -> Value) throws(PlanError) -> Value {
    do { return try body() } catch { throw .time(error) }
}
