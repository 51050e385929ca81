import Foundation
import Storage

/// Looks at the room on the disks that the coordinator writes to, so that the farm pauses while there still is some.
///
/// Below the low-water mark (``DiskSpace/reserve``) nothing new begins: no task is granted and no asset is taken in. The
/// rest is for what is under way: the parts that workers bring, and the database. Everything goes on by itself once
/// there is room again. A look is one system call and waits for nothing.
struct SpaceWatch: Sendable {
    /// The folder that stored bytes go to.
    let artifactRoot: String
    /// Other folders whose disks must have room, such as the database's.
    let others: [String]
    /// Tells the room where a folder lies; nil when that cannot be told, which counts as room enough.
    let read: @Sendable (String) -> DiskSpace?

    /// The lack of room for something new.
    /// - Parameter byteCount: the number of bytes that it adds to the stored ones.
    /// - Returns: nil while there is room.
    func shortage(for byteCount: Int64 = 0) -> DiskShortage? {
        if let space = read(artifactRoot), space.free - byteCount < space.reserve {
            return DiskShortage(free: space.free, needed: byteCount + space.reserve)
        }
        for space in others.compactMap(read) where space.free < space.reserve {
            return DiskShortage(free: space.free, needed: space.reserve)
        }
        return nil
    }

    /// The lack of room for what is under way, which may use the reserve.
    /// - Returns: nil while there is room.
    func shortageWithinReserve(for byteCount: Int64) -> DiskShortage? {
        guard let space = read(artifactRoot), space.free < byteCount else { return nil }
        return DiskShortage(free: space.free, needed: byteCount)
    }

    /// The bytes that parts which nobody counts on have to give back, so that the low-water mark is not reached: as much as
    /// the mark itself stays free above it.
    var lackingForParts: Int64 {
        guard let space = read(artifactRoot) else { return 0 }
        return max(0, 2 * space.reserve - space.free)
    }

    /// The bytes that copies of what is kept elsewhere have to give back, so that a quarter of the disk is free of them.
    var lackingForCopies: Int64 {
        guard let space = read(artifactRoot) else { return 0 }
        return max(lackingForParts, space.capacity / 4 - space.free)
    }
}

/// Less room on the coordinator's disk than is needed.
struct DiskShortage: Error, Hashable, CustomStringConvertible {
    /// The bytes that are free.
    let free: Int64
    /// The bytes that must be free.
    let needed: Int64

    /// The sentence for the user.
    var description: String {
        "The coordinator's disk is nearly full: \(DiskShortage.text(free)) are free and \(DiskShortage.text(needed)) are "
            + "needed; free some, and everything goes on by itself."
    }

    private static func text(_ bytes: Int64) -> String {
        bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}
