import Client
import Foundation

/// Looks at the coordinator that commands of this user talk to.
struct CoordinatorCheck {
    let options: FarmOptions

    /// Whether it is ready, and what the token allows.
    func all() async -> [Diagnosis] {
        let address: String
        do {
            address = try options.coordinator()
        } catch {
            return [Diagnosis("coordinator", .bad, Self.sentence(error))]
        }
        let ready = await readiness(of: address)
        guard ready.grade == .good else { return [ready] }
        return [ready, await token(address)]
    }

    /// Whether a coordinator is named anywhere, and not only looked for on this machine.
    private var isNamed: Bool {
        if options.namedCoordinator != nil || FarmOptions.environment("CUTFARM_COORDINATOR") != nil { return true }
        return (try? Credentials.load()) != nil
    }

    private func readiness(of address: String) async -> Diagnosis {
        do {
            let connection = try CoordinatorConnection(baseURL: address, token: "", allowInsecureToken: true)
            try await connection.requireReady()
            return Diagnosis("coordinator", .good, "\(address) is ready.")
        } catch {
            guard isNamed else {
                return Diagnosis(
                    "coordinator",
                    .doubtful,
                    "None is named, and none runs here; `cutfarm login URL` keeps the address of one."
                )
            }
            return Diagnosis("coordinator", .bad, Self.sentence(error))
        }
    }

    private func token(_ address: String) async -> Diagnosis {
        do {
            let who = try await options.connect().signedIn()
            let scopes = who.scopes.joined(separator: ", ")
            return Diagnosis("token", .good, "You are \(who.owner) there and may: \(scopes).")
        } catch {
            let isMissing = (error as? CommandFailure)?.status == .notAllowed
            return Diagnosis("token", isMissing && !isNamed ? .doubtful : .bad, Self.sentence(error))
        }
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? CommandFailure)?.lines.first ?? "\(error)"
    }
}
