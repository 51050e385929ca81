// The libav* headers, and those of their macros that Swift cannot import.
#ifndef CUTFARM_CLIBAV_SHIM_H
#define CUTFARM_CLIBAV_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/defs.h>
#include <libavcodec/version.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/ffversion.h>
#include <libavutil/imgutils.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/version.h>
#include <libswscale/swscale.h>
#include <string.h>

static const int32_t CUT_AVERROR_EOF = AVERROR_EOF;
static const int32_t CUT_AVERROR_EXIT = AVERROR_EXIT;
static const int32_t CUT_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int32_t CUT_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int32_t CUT_AVERROR_EIO = AVERROR(EIO);
static const int32_t CUT_AVERROR_EINVAL = AVERROR(EINVAL);
static const int32_t CUT_AVERROR_EACCES = AVERROR(EACCES);
static const int32_t CUT_AVERROR_ENOMEM = AVERROR(ENOMEM);
static const int32_t CUT_AVERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int64_t CUT_NOPTS = AV_NOPTS_VALUE;
static const int32_t CUT_STRICT = FF_COMPLIANCE_STRICT;

// A plain C function: one in a language runtime can deadlock with libavcodec's frame threads.
static inline void cut_log_nothing(void *context, int level, const char *format, va_list arguments) {
    (void)context; (void)level; (void)format; (void)arguments;
}
static inline void cut_silence_log(void) { av_log_set_callback(cut_log_nothing); }

static inline int cut_refuse_open(struct AVFormatContext *s, AVIOContext **pb, const char *url, int flags,
                                  AVDictionary **options) {
    (void)s; (void)pb; (void)url; (void)flags; (void)options;
    return AVERROR(EACCES);
}
// A demuxer of ours opens nothing but what it was given.
static inline void cut_deny_opening(AVFormatContext *context) { context->io_open = cut_refuse_open; }

static inline void cut_error_text(int code, char *buffer, size_t size) { av_strerror(code, buffer, size); }

static inline int cut_layout_default(AVChannelLayout *layout, int channels) {
    av_channel_layout_default(layout, channels);
    return layout->nb_channels;
}
// Big-endian tag as it is written in an ISO file: 'e','n','c','v' gives "encv" for codec_tag comparison.
static inline uint32_t cut_tag(const char *four) {
    return MKTAG((uint8_t)four[0], (uint8_t)four[1], (uint8_t)four[2], (uint8_t)four[3]);
}

// Side data of a stream: AVStream's own array up to FFmpeg 6, codecpar's from 6.1 on.
static inline const uint8_t *cut_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *found = av_packet_side_data_get(stream->codecpar->coded_side_data,
                                                            stream->codecpar->nb_coded_side_data, type);
    *size = found ? found->size : 0;
    return found ? found->data : NULL;
#else
    return av_stream_get_side_data(stream, type, size);
#endif
}

#endif
