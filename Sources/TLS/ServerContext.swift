import CLibSSL
import Foundation

/// What all TLS connections of a server share: its certificate chain, its private key and its rules. The owner of an
/// `SSL_CTX`.
///
/// TLS 1.2 is the oldest version spoken, or a later one that the system's openssl.cnf asks for; ciphers are the system's defaults at security level 2 or above
/// (SSL_CTX_set_security_level(3)). HTTP/1.1 is negotiated. A client cannot renegotiate. Sessions are resumed from
/// tickets that the client keeps, never from memory here. Client certificates are not asked for.
package final class ServerContext: Sendable {
    /// Only `init` changes it; afterwards it is shared by threads as OpenSSL allows (openssl-threads(7)).
    nonisolated(unsafe) let raw: OpaquePointer

    /// - Parameters:
    ///   - certificateFile: PEM: the server's certificate first, then the ones that vouch for it.
    ///   - keyFile: PEM: the private key of the first certificate, without a password.
    /// - Throws: ``CredentialsError`` when a file cannot be read, holds something else, is too weak for the security
    ///   level, or the key is encrypted or belongs to another certificate; or when the system's openssl.cnf allows
    ///   nothing later than TLS 1.1.
    package init(certificateFile: String, keyFile: String) throws(CredentialsError) {
        LibraryErrors.clear()
        guard let raw = SSL_CTX_new(TLS_server_method()) else {
            throw CredentialsError("OpenSSL cannot serve TLS: \(LibraryErrors.takeReason()).")
        }
        self.raw = raw
        try setRules()
        try useCertificate(certificateFile)
        try useKey(keyFile, of: certificateFile)
    }

    deinit { SSL_CTX_free(raw) }

    private func setRules() throws(CredentialsError) {
        SSL_CTX_set_security_level(raw, max(2, SSL_CTX_get_security_level(raw)))
        guard cut_ssl_require_version(raw, TLS1_2_VERSION) == 1 else {
            throw CredentialsError("The system's openssl.cnf allows no TLS 1.2 or later (MaxProtocol); raise it there.")
        }
        cut_ssl_refuse_renegotiation(raw)
        cut_ssl_forget_sessions(raw)
        cut_ssl_serve_http(raw)
        // An idle connection keeps no record buffers: 34 KB each.
        cut_ssl_set_mode(raw, Int(SSL_MODE_RELEASE_BUFFERS))
    }

    private func useCertificate(_ path: String) throws(CredentialsError) {
        LibraryErrors.clear()
        guard SSL_CTX_use_certificate_chain_file(raw, path) != 1 else { return }
        let errors = LibraryErrors.take()
        if let code = errors.first?.systemCode { throw .unreadable("certificate", path, code) }
        throw CredentialsError(
            errors.first?.isMissingPEM == true
                ? "The file \(path) holds no certificate in PEM."
                : "The certificate in \(path) cannot be used: \(errors.first?.reason ?? "it is damaged")."
        )
    }

    private func useKey(_ path: String, of certificatePath: String) throws(CredentialsError) {
        LibraryErrors.clear()
        var isEncrypted: Int32 = 0
        guard let key = cut_ssl_read_key(path, &isEncrypted) else {
            let errors = LibraryErrors.take()
            if let code = errors.first?.systemCode { throw .unreadable("private key", path, code) }
            if isEncrypted == 1 {
                throw CredentialsError("The private key in \(path) is encrypted; store it without a password.")
            }
            // OpenSSL's decoders say the same of a damaged key as of none.
            let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
            throw CredentialsError(
                text?.contains("PRIVATE KEY-----") == true
                    ? "The private key in \(path) is damaged, or of a kind that OpenSSL does not know; write it again."
                    : "The file \(path) holds no private key in PEM."
            )
        }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(raw, key) == 1, SSL_CTX_check_private_key(raw) == 1 else {
            LibraryErrors.clear()
            throw CredentialsError(
                "The private key in \(path) does not belong to the certificate in \(certificatePath)."
            )
        }
    }
}

extension LibraryErrors.Entry {
    /// PEM_read_bio(3): not one line begins the thing that was looked for.
    fileprivate var isMissingPEM: Bool {
        cut_err_library(code) == ERR_LIB_PEM && cut_err_reason(code) == PEM_R_NO_START_LINE
    }
}

extension CredentialsError {
    fileprivate static func unreadable(_ what: String, _ path: String, _ code: Int32) -> CredentialsError {
        CredentialsError("The \(what) \(path) cannot be read: \(LibraryErrors.text(ofSystemCode: code)).")
    }
}
