#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift does not call.

static inline CURLcode curl_begin(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long number) {
    return curl_easy_setopt(handle, option, number);
}

static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}

static inline CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *pointer) {
    return curl_easy_setopt(handle, option, pointer);
}

typedef size_t (*curl_transfer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode curl_set_transfer(CURL *handle, CURLoption option, curl_transfer transfer) {
    return curl_easy_setopt(handle, option, transfer);
}

static inline CURLcode curl_set_progress(CURL *handle, curl_xferinfo_callback progress) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
}

static inline CURLcode curl_set_socket_opener(CURL *handle, curl_opensocket_callback opener) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
}

static inline CURLcode curl_get_number(CURL *handle, CURLINFO info, long *number) {
    return curl_easy_getinfo(handle, info, number);
}

static inline CURLcode curl_get_size(CURL *handle, CURLINFO info, curl_off_t *size) {
    return curl_easy_getinfo(handle, info, size);
}
