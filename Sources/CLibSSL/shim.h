#ifndef CUTFARM_CLIBSSL_SHIM_H
#define CUTFARM_CLIBSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

// Function-like macros, which Swift does not see.

// Makes `version` the oldest that is spoken, unless the system's configuration asks for a later one already.
// Returns 0 when the configuration allows no version from it on.
static inline int cut_ssl_require_version(SSL_CTX *context, int version) {
    if (SSL_CTX_get_min_proto_version(context) < version && !SSL_CTX_set_min_proto_version(context, version)) {
        return 0;
    }
    long newest = SSL_CTX_get_max_proto_version(context);
    return newest == 0 || newest >= version;
}
static inline void cut_ssl_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void cut_ssl_forget_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline void cut_ssl_refuse_renegotiation(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}
static inline size_t cut_bio_pending(BIO *bio) { return BIO_ctrl_pending(bio); }
static inline int cut_err_library(unsigned long code) { return ERR_GET_LIB(code); }
static inline int cut_err_reason(unsigned long code) { return ERR_GET_REASON(code); }

// ALPN (RFC 7301): HTTP/1.1, or 1.0 for those that offer nothing later. A client that offers other protocols only is
// refused with `no_application_protocol`; one that offers none is served HTTP/1.1.
static inline int cut_ssl_choose_http(
    SSL *ssl, const unsigned char **chosen, unsigned char *length, const unsigned char *offered,
    unsigned int offeredLength, void *unused
) {
    static const unsigned char served[] = "\x08http/1.1\x08http/1.0";
    unsigned char *found = NULL;
    int result = SSL_select_next_proto(
        &found, length, served, sizeof served - 1, offered, offeredLength);
    (void)ssl;
    (void)unused;
    *chosen = found;
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}
static inline void cut_ssl_serve_http(SSL_CTX *context) {
    SSL_CTX_set_alpn_select_cb(context, cut_ssl_choose_http, NULL);
}

// Instead of asking at the terminal for the password of an encrypted key: none, and `wasAsked` says why.
static inline int cut_ssl_no_password(char *password, int size, int writing, void *wasAsked) {
    (void)password;
    (void)size;
    (void)writing;
    *(int *)wasAsked = 1;
    return -1;
}
// Reads a PEM key without a password. `*isEncrypted` becomes 1 when it has one.
static inline EVP_PKEY *cut_ssl_read_key(const char *path, int *isEncrypted) {
    BIO *file = BIO_new_file(path, "r");
    EVP_PKEY *key = file == NULL ? NULL : PEM_read_bio_PrivateKey(file, NULL, cut_ssl_no_password, isEncrypted);
    BIO_free(file);
    return key;
}

#endif
