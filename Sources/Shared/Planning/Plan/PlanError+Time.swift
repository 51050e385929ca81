import CompositionModel
import Timing

/// Runs time arithmetic and returns its value.
/// - Throws: ``PlanError/time(_:)`` with the error that `body` throws.
func exact<Value>(_ body: () throws(TimeError) -> Value) throws(PlanError) -> Value {
    do { return try body() } catch { throw .time(error) }
}
