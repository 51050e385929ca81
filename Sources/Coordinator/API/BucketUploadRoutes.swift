import Hummingbird
import ServiceLifecycle
import WireProtocol

/// Assets that clients send to the farm's bucket in parts.
struct BucketUploadRoutes: RouteGroup {
    /// Takes them in; nil for a farm whose artifacts are in a folder.
    let intake: BucketIntake?

    func add(to table: RouteTable) {
        table.on(.post, "/v1/assets/{sha256}/parts", .submit) { request, context in
            let (digest, owner) = (try context.digest(), try context.require([.submit]).owner)
            let question = try await request.json(UploadQuestion.self, upTo: BodyLimit.small, context)
            guard let intake else { throw Problem.sentHere }
            return try .json(try await intake.begin(digest, byteCount: question.byteCount, owner: owner))
        }
        table.on(.post, "/v1/assets/{sha256}/parts/{number}/order", .submit) { request, context in
            let (digest, owner) = (try context.digest(), try context.require([.submit]).owner)
            let question = try await request.json(PartQuestion.self, upTo: BodyLimit.small, context)
            guard let intake, let number = Int(context.parameters.get("number") ?? "") else { throw Problem.notFound }
            return try .json(try await intake.order(number, question.digest, of: digest, owner: owner))
        }
        table.on(.post, "/v1/assets/{sha256}/parts/join", .submit) { request, context in
            let (digest, owner) = (try context.digest(), try context.require([.submit]).owner)
            guard let intake else { throw Problem.notFound }
            return try await request.answeringUnlessTheClientLeaves { _ in
                let arrival = try await cancelWhenGracefulShutdown { try await intake.settle(digest, owner: owner) }
                return try .json(arrival, status: arrival.record == nil ? .accepted : .created)
            }
        }
    }
}
