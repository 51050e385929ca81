import CLibCurl
import Foundation

/// Opens the socket of a connection, unless its address is not allowed: libcurl calls it with the very address to which it
/// connects then (CURLOPT_OPENSOCKETFUNCTION(3)).
func curlOpens(
    _ context: UnsafeMutableRawPointer?,
    _: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    let refused: curl_socket_t = -1
    guard let context, let address else { return refused }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let text = addressText(cut_curl_address(address), address.pointee.addrlen)
    guard let text, transfer.peers?.allows(text) == true else {
        transfer.refusedAddress = text ?? "nowhere"
        return refused
    }
    return cut_curl_socket(address)
}

/// An address as numbers; nil for one of another family than IPv4 and IPv6.
private func addressText(_ address: UnsafePointer<sockaddr>?, _ length: UInt32) -> String? {
    guard let address, [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)) else { return nil }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
