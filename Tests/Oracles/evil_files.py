#!/usr/bin/env python3
"""Writes files of few bytes that ask for much memory, time or room, and prints their names.

    evil_files.py FOLDER
"""
import pathlib
import struct
import sys
import zlib

MIB = 1 << 20


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, *chunks):
    rows = zlib.compress(bytes((16 * 3 + 1) * 16))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def zeros(mebibytes):
    """A thousandth of its inflated size."""
    press = zlib.compressobj(9)
    return b"".join([press.compress(bytes(MIB)) for _ in range(mebibytes)] + [press.flush()])


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", len(body) + 8) + kind + body


def full(kind, numbers, *rest):
    return box(kind, struct.pack(">%dI" % (len(numbers) + 1), 0, *numbers), *rest)


def movie(samples, edits, tracks=1):
    """A picture of Motion JPEG whose tables claim more samples, edits or tracks."""
    matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
    entry = box(b"jpeg", bytes(6), b"\0\1", bytes(16), struct.pack(">HH", 16, 16), bytes(50))
    table = box(b"stbl", full(b"stsd", [1], entry), full(b"stts", [1, samples, 512]), full(b"stsc", [1, 1, samples, 1]),
                full(b"stsz", [4, samples]), full(b"stco", [1, 48]))
    information = box(b"minf", full(b"vmhd", [0, 0]), box(b"dinf", full(b"dref", [1], full(b"url ", []))), table)
    list_of_edits = full(b"elst", [edits], b"".join(struct.pack(">III", 512, n % 7, 0x10000) for n in range(edits)))
    track = box(b"trak", full(b"tkhd", [0, 0, 1, 0, 512, 0, 0, 0, 0] + matrix + [16 << 16, 16 << 16]), box(b"edts", list_of_edits),
                box(b"mdia", full(b"mdhd", [0, 0, 12800, 512, 0]), full(b"hdlr", [0, 0x76696465, 0, 0, 0], b"\0"), information))
    header = full(b"mvhd", [0, 0, 12800, 512, 0x10000, 0x1000000, 0, 0] + matrix + [0, 0, 0, 0, 0, 0, 2])
    return box(b"ftyp", b"isom\0\0\0\0isom") + box(b"mdat", bytes(64)) + box(b"moov", header, track * tracks)


def ogg(pages):
    """Streams that begin and never go on."""
    page = lambda n: b"OggS\0\2" + bytes(8) + struct.pack("<II", n, 0) + bytes(4) + b"\1\x1e\1vorbis" + bytes(23)
    return b"".join(page(n) for n in range(pages))


FILES = {
    "pixels.png": lambda: png(60000, 60000),
    "text.png": lambda: png(16, 16, *[chunk(b"zTXt", b"Comment\0\0" + zeros(256))] * 24),
    "profile.png": lambda: png(16, 16, chunk(b"iCCP", b"icc\0\0" + zeros(2048))),
    "international.png": lambda: png(16, 16, *[chunk(b"iTXt", b"XML\0\1\0\0\0" + zeros(512))] * 4),
    "frames.y4m": lambda: b"YUV4MPEG2 W2 H2 F25:1 Ip A1:1 C420jpeg\n" + b"FRAME\nabcdef" * 800000,
    "samples.mp4": lambda: movie(0x7FFFFFFF, 1),
    "edits.mp4": lambda: movie(1, 400000),
    "tracks.mp4": lambda: movie(1, 1, 15000),
    "streams.ogg": lambda: ogg(100000),
    "tags.mp3": lambda: b"ID3\3\0\0\x7f\x7f\x7f\x7f" + bytes(4 * MIB),
    "nested.mkv": lambda: b"\x1aE\xdf\xa3\x80" + b"\x18S\x80g\1\xff\xff\xff\xff\xff\xff\xff" * 200000,
    "silence.flac": lambda: b"fLaC\x80\0\0\x22" + struct.pack(">HH", 65535, 65535) + bytes(6) + bytes([0x0A, 0xC4, 0x42, 0xFF]) + b"\xff" * 4 + bytes(16),
}

folder = pathlib.Path(sys.argv[1])
for name, make in FILES.items():
    (folder / name).write_bytes(make())
    print(name)
