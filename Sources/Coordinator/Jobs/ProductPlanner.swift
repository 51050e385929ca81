import CompositionModel
import Farm
import Planning
import WireProtocol

/// The planned product of a job: its tasks, and the facts that lists show.
struct PlannedProduct {
    /// The plan that is stored with the job as a record.
    let plan: RenderPlan
    /// The preset's name; `stills`, `sheet`, `loudness` or `waveform` when no movie is made.
    let preset: String
    /// The extension of the job's file name, without a dot.
    let fileExtension: String
    /// The number of frames of the movie, or of stills.
    let frameCount: Int64
    /// The tasks, at least one, at distinct positions.
    let tasks: [NewTask]
}

/// Plans the product that a submission asks for: a movie, stills or a measurement.
struct ProductPlanner {
    let composition: Composition
    /// The output's position in the composition, from 0. Stills and measurements use its range and size, not its
    /// codecs.
    let output: Int
    let facts: [ContentDigest: AssetFacts]
    /// The value of `--segments`, for tests; nil leaves the grid to the planner.
    let segmentCount: Int?

    /// Plans the product.
    /// - Throws: ``Problem`` 422 with the planner's code; `no_picture`, `no_sound` or `invalid_request` for an order
    ///   that this edit cannot fulfil.
    func plan(_ product: JobProduct) throws -> PlannedProduct {
        switch product {
        case .movie: try movie()
        case .stills(let order): try stills(order)
        case .measurement(let order): try measurement(order)
        }
    }

    private func movie() throws -> PlannedProduct {
        let plan = try renderPlan(segmentCount: segmentCount)
        return PlannedProduct(
            plan: plan,
            preset: plan.output.preset,
            fileExtension: plan.output.fileExtension,
            frameCount: plan.frameCount,
            tasks: try plan.newTasks()
        )
    }

    private func stills(_ order: StillsOrder) throws -> PlannedProduct {
        let plan = try renderPlan(segmentCount: 1)
        guard let picture = plan.segments.first?.task else {
            throw Problem.unprocessable("no_picture", "There is no picture in the edit, so it has no frames.")
        }
        if let problem = order.problem(frameCount: plan.frameCount) {
            throw Problem.unprocessable("invalid_request", problem)
        }
        return PlannedProduct(
            plan: plan,
            preset: order.sheet == nil ? "stills" : "sheet",
            fileExtension: order.sheet == nil ? "stills" : order.format.fileExtension,
            frameCount: Int64(order.frames.count),
            tasks: order.newTasks(of: picture)
        )
    }

    private func measurement(_ order: MeasureOrder) throws -> PlannedProduct {
        let plan = try renderPlan(segmentCount: 1)
        let pieces = try planned { () throws(PlanError) in
            try Planner.measures(
                composition,
                output: output,
                facts: facts,
                order: order,
                segmentCount: segmentCount
            )
        }
        guard let first = pieces.first?.task, first.wholeSampleCount > 0 else {
            throw Problem.unprocessable("no_sound", "There is no sound in the edit, so it has no samples.")
        }
        if let problem = order.problem(sampleCount: first.wholeSampleCount, channels: first.sound.channels) {
            throw Problem.unprocessable("invalid_request", problem)
        }
        return PlannedProduct(
            plan: plan,
            preset: order.what == .loudness ? "loudness" : "waveform",
            fileExtension: "measure",
            frameCount: plan.frameCount,
            tasks: try plan.newTasks(measuring: pieces)
        )
    }

    private func renderPlan(segmentCount: Int?) throws -> RenderPlan {
        try planned { () throws(PlanError) in
            try Planner.plan(composition, output: output, facts: facts, segmentCount: segmentCount)
        }
    }

    /// Runs the planner and turns its errors into the problems that clients receive.
    private func planned<Result>(_ work: () throws(PlanError) -> Result) throws -> Result {
        do throws(PlanError) { return try work() } catch {
            throw Problem.unprocessable(error.failure.code, error.failure.message)
        }
    }
}

extension StillsOrder {
    /// The tasks that make the stills, one per part of the order.
    func newTasks(of picture: PictureTask) -> [NewTask] {
        parts.enumerated().map { position, part in
            NewTask(
                position: position,
                stage: 0,
                payload: .stills(StillsTask(picture: picture, order: part)),
                costMilliseconds: 400 * Int64(part.frames.count)
            )
        }
    }
}
