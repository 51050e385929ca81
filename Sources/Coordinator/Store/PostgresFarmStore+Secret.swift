package import Farm
package import Foundation
import PostgreSQL

extension PostgresFarmStore {
    package func secret() async throws(FarmStoreError) -> Data {
        let drawn = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        return try await transact { connection, _ in
            let insertion = "INSERT INTO farm_secret (bytes) VALUES ($1) ON CONFLICT DO NOTHING"
            _ = try connection.query(insertion, [drawn])
            return try connection.query("SELECT bytes FROM farm_secret")[0].get("bytes")
        }
    }
}
