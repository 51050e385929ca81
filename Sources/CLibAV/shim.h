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
#include <libavutil/cpu.h>
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
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

// What the libraries log is not shown, but what a codec or a container logs as an error is counted where its context's
// `opaque` points, an int64_t: decoders give a frame, and no code, for much that is damaged. A plain C function: one in a
// language runtime can deadlock with libavcodec's frame threads.
static inline void cut_log_count(void *context, int level, const char *format, va_list arguments) {
    (void)format; (void)arguments;
    // Above its lowest byte a level says a colour (libavutil/log.h).
    if (!context || (level > 0 ? level & 0xff : level) > AV_LOG_ERROR) return;
    const AVClass *kind = *(const AVClass **)context;
    void *counter = kind == avcodec_get_class() ? ((AVCodecContext *)context)->opaque
                  : kind == avformat_get_class() ? ((AVFormatContext *)context)->opaque : NULL;
    if (counter) __atomic_fetch_add((int64_t *)counter, 1, __ATOMIC_RELAXED);
}
static inline void cut_count_log(void) { av_log_set_callback(cut_log_count); }
// Counts as cut_log_count does, and writes warnings and errors as lines on standard error, without the addresses that
// libavutil would put into them.
static inline void cut_log_say(void *context, int level, const char *format, va_list arguments) {
    cut_log_count(context, level, format, arguments);
    if ((level > 0 ? level & 0xff : level) > AV_LOG_WARNING) return;
    char line[512];
    const AVClass *kind = context ? *(const AVClass **)context : NULL;
    size_t length = 0;
    if (kind) {
        const char *name = kind->item_name ? kind->item_name(context) : kind->class_name;
        int count = snprintf(line, 64, "%s: ", name ? name : "libav");
        length = count < 0 ? 0 : count < 63 ? (size_t)count : 63;
    }
    int count = vsnprintf(line + length, sizeof line - length - 1, format, arguments);
    if (count < 0) return;
    length = length + (size_t)count < sizeof line - 2 ? length + (size_t)count : sizeof line - 2;
    if (line[length - 1] != '\n') line[length++] = '\n';
    ssize_t written = write(2, line, length);
    (void)written;
}
static inline void cut_say_log(void) { av_log_set_callback(cut_log_say); }
static inline int64_t cut_counted(const int64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

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

// Memory for new side data of a stream that is written, which the stream owns; NULL when there is none.
static inline uint8_t *cut_new_stream_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    AVPacketSideData *made = av_packet_side_data_new(&stream->codecpar->coded_side_data,
                                                     &stream->codecpar->nb_coded_side_data, type, size, 0);
    return made ? made->data : NULL;
#else
    return av_stream_new_side_data(stream, type, size);
#endif
}

// 0: progressive, 1: interlaced with the top field first, 2: with the bottom field first.
static inline int cut_frame_fields(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    if (!(frame->flags & AV_FRAME_FLAG_INTERLACED)) return 0;
    return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST ? 1 : 2;
#else
    if (!frame->interlaced_frame) return 0;
    return frame->top_field_first ? 1 : 2;
#endif
}

// One end of a scaler.
struct cut_scaler_end {
    int width;
    int height;
    enum AVPixelFormat format;
    // SWS_CS_…; the one of RGB is not looked at.
    int matrix;
    int is_full;
    // Of the first chroma sample from the first luma sample, in 256ths of a pixel; 0 where nothing is subsampled.
    int chroma_x;
    int chroma_y;
};

// Whether both ends have fewer chroma samples than pixels in a direction, at other places there.
static inline int cut_chroma_moves(struct cut_scaler_end from, struct cut_scaler_end to) {
    const AVPixFmtDescriptor *a = av_pix_fmt_desc_get(from.format), *b = av_pix_fmt_desc_get(to.format);
    if (!a || !b) return 0;
    return (a->log2_chroma_w && b->log2_chroma_w && from.chroma_x != to.chroma_x) ||
           (a->log2_chroma_h && b->log2_chroma_h && from.chroma_y != to.chroma_y);
}

// A scaler behind a void pointer: SwsContext is opaque up to FFmpeg 7.0 and a public struct after.
static inline void *cut_scaler_make(struct cut_scaler_end from, struct cut_scaler_end to) {
    struct SwsContext *scaler = sws_alloc_context();
    if (!scaler) return NULL;
    av_opt_set_int(scaler, "srcw", from.width, 0);
    av_opt_set_int(scaler, "srch", from.height, 0);
    av_opt_set_int(scaler, "src_format", from.format, 0);
    av_opt_set_int(scaler, "dstw", to.width, 0);
    av_opt_set_int(scaler, "dsth", to.height, 0);
    av_opt_set_int(scaler, "dst_format", to.format, 0);
    // Before init: it picks a plain copy when both ranges are the same then.
    av_opt_set_int(scaler, "src_range", from.is_full, 0);
    av_opt_set_int(scaler, "dst_range", to.is_full, 0);
    av_opt_set_int(scaler, "src_h_chr_pos", from.chroma_x, 0);
    av_opt_set_int(scaler, "src_v_chr_pos", from.chroma_y, 0);
    av_opt_set_int(scaler, "dst_h_chr_pos", to.chroma_x, 0);
    av_opt_set_int(scaler, "dst_v_chr_pos", to.chroma_y, 0);
    // Without CHR_H_INP chroma is made of pairs of pixels, which is half a pixel beside its place.
    int64_t flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;
    av_opt_set_int(scaler, "sws_flags", flags, 0);
    // Where the size stays planes are copied, wherever their samples are, unless there is a filter: this one does nothing.
    SwsFilter filter = {NULL, NULL, NULL, NULL};
    if (cut_chroma_moves(from, to)) {
        filter.chrH = sws_allocVec(3);
        if (!filter.chrH) {
            sws_freeContext(scaler);
            return NULL;
        }
        filter.chrH->coeff[0] = filter.chrH->coeff[2] = 0;
        filter.chrH->coeff[1] = 1;
    }
    int code = sws_init_context(scaler, &filter, NULL);
    sws_freeVec(filter.chrH);
    if (code < 0) {
        sws_freeContext(scaler);
        return NULL;
    }
    // Negative: this pair needs no matrix (RGB to RGB); never so for a yuv420p target.
    if (sws_setColorspaceDetails(scaler, sws_getCoefficients(from.matrix), from.is_full, sws_getCoefficients(to.matrix),
                                 to.is_full, 0, 1 << 16, 1 << 16) < 0) {
        sws_freeContext(scaler);
        return NULL;
    }
    return scaler;
}
static inline int cut_scaler_run(void *scaler, AVFrame *to, const AVFrame *from) {
    return sws_scale((struct SwsContext *)scaler, (const uint8_t *const *)from->data, from->linesize, 0, from->height,
                     to->data, to->linesize);
}
static inline void cut_scaler_free(void *scaler) { sws_freeContext((struct SwsContext *)scaler); }

// The tag with which a muxer names a codec: the source's where the muxer knows it, else 0, which lets it choose.
static inline uint32_t cut_muxer_tag(const AVOutputFormat *format, const AVCodecParameters *parameters) {
    unsigned int own;
    if (!format->codec_tag || av_codec_get_id(format->codec_tag, parameters->codec_tag) == parameters->codec_id
        || !av_codec_get_tag2(format->codec_tag, parameters->codec_id, &own))
        return parameters->codec_tag;
    return 0;
}

// Copies the side data of a stream, which codecpar carries from FFmpeg 6.1 on.
static inline int cut_copy_stream_side_data(AVStream *to, const AVStream *from) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    (void)to; (void)from;
#else
    for (int i = 0; i < from->nb_side_data; i++) {
        uint8_t *data = av_stream_new_side_data(to, from->side_data[i].type, from->side_data[i].size);
        if (!data) return AVERROR(ENOMEM);
        memcpy(data, from->side_data[i].data, from->side_data[i].size);
    }
#endif
    return 0;
}

// Appends a chapter, which the context owns; NULL without memory.
static inline AVChapter *cut_add_chapter(AVFormatContext *context, int64_t id, AVRational unit, int64_t start,
                                         int64_t end) {
    AVChapter *chapter = av_mallocz(sizeof *chapter);
    int count = (int)context->nb_chapters;
    if (!chapter) return NULL;
    chapter->id = id;
    chapter->time_base = unit;
    chapter->start = start;
    chapter->end = end;
    if (av_dynarray_add_nofree(&context->chapters, &count, chapter) < 0) {
        av_free(chapter);
        return NULL;
    }
    context->nb_chapters = (unsigned)count;
    return chapter;
}

// Points a packet at a part of its own bytes.
static inline void cut_narrow_packet(AVPacket *packet, int skipped, int size) {
    packet->data += skipped;
    packet->size = size;
}

#endif
