/// One message of supplemental enhancement information (ITU-T H.264, 7.3.2.3.1; H.265, 7.3.5).
package struct SEIMessage: Hashable, Sendable {
    /// payloadType of the standard (``SEIMessage/kind``).
    package var type: Int
    /// sei_payload(), without emulation prevention.
    package var payload: [UInt8]

    package init(type: Int, payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }
}
