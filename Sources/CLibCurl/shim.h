#ifndef CUTFARM_CLIBCURL_SHIM_H
#define CUTFARM_CLIBCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic macros: one inline function for each type of argument.

typedef size_t (*cut_curl_data)(char *, size_t, size_t, void *);
typedef int (*cut_curl_seek)(void *, curl_off_t, int);
typedef curl_socket_t (*cut_curl_opens)(void *, curlsocktype, struct curl_sockaddr *);
typedef int (*cut_curl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode cut_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode cut_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode cut_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode cut_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode cut_curl_set_data(CURL *handle, CURLoption option, cut_curl_data function) {
    return curl_easy_setopt(handle, option, function);
}
static inline CURLcode cut_curl_set_progress(CURL *handle, cut_curl_progress function) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}
static inline CURLcode cut_curl_set_seek(CURL *handle, cut_curl_seek function) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}
static inline CURLcode cut_curl_set_opens(CURL *handle, cut_curl_opens function) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}
// curl_sockaddr ends in a sockaddr, behind which there is room for any address.
static inline const struct sockaddr *cut_curl_address(const struct curl_sockaddr *address) { return &address->addr; }
static inline curl_socket_t cut_curl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
static inline CURLcode cut_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}
static inline CURLcode cut_curl_status(CURL *handle, long *status) {
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}
static inline CURLcode cut_curl_connects(CURL *handle, long *count) {
    return curl_easy_getinfo(handle, CURLINFO_NUM_CONNECTS, count);
}

#endif
