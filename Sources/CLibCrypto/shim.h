#ifndef CUTFARM_CLIBCRYPTO_SHIM_H
#define CUTFARM_CLIBCRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/evp.h>

// HMAC-SHA-256 (RFC 2104) in 32 bytes. Returns 1, or 0 when memory runs out.
static inline int cut_crypto_hmac_sha256(
    OSSL_LIB_CTX *library, const void *key, size_t keyLength, const void *message, size_t length,
    unsigned char code[32]
) {
    size_t written = 0;
    // A null key would mean the key of an earlier call.
    const void *bytes = keyLength == 0 ? "" : key;
    const unsigned char *made =
        EVP_Q_mac(library, "HMAC", NULL, "SHA256", NULL, bytes, keyLength, message, length, code, 32, &written);
    return made != NULL && written == 32;
}

#endif
