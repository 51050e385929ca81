extension CopySource {
    /// Every kind.
    package static let all = upright + portrait + anamorphic + hevc

    /// - Returns: the sources of a raster.
    package static func all(of raster: Raster) -> [CopySource] { all.filter { $0.raster == raster } }

    /// The source with this name; the first of all when none has it, which its test then shows.
    package static func named(_ name: String) -> CopySource { all.first { $0.name == name } ?? all[0] }

    private static let upright =
        groups + devices + [
            CopySource(
                "no VUI",
                "novui.h264",
                200,
                "keyint=60:bframes=3",
                ["-bsf:v", "h264_metadata=aud=insert"],
                // Untagged small pictures count as of another colour than the edit's.
                copying: .none,
                isTagged: false
            ),
            CopySource("open groups", "open.mp4", 260, "keyint=40:open-gop=1:bframes=3", copying: .some),
            CopySource("intra refresh", "refresh.mp4", 200, "keyint=50:intra-refresh=1", copying: .some),
            CopySource("MBAFF", "mbaff.mp4", 200, "keyint=50:bframes=3:tff=1", copying: .some),
            CopySource(
                "a variable rate",
                "variable.mp4",
                180,
                "keyint=50:bframes=2",
                ["-fps_mode", "passthrough"],
                copying: .none,
                filter: ",select='lt(mod(n*n*7,11),8)'"
            ),
            CopySource(
                "an odd time",
                "odd.mp4",
                240,
                "keyint=50:bframes=2",
                // Behind the odd frame, 69, a copy begins at the key picture 100 and has 12 pictures at least.
                longestTail: 42,
                // One frame lasts 812 of 12,800 ticks a second, and the others 512.
                remuxing: [
                    "-bsf:v", "setts=pts=PTS+if(gte(PTS\\,70*512)\\,300\\,0):dts=DTS+if(gte(DTS\\,70*512)\\,300\\,0)",
                ]
            ),
            CopySource("without loss", "lossless.mp4", 120, "keyint=50:bframes=2:qp=0", copying: .none),
            CopySource(
                "full range",
                "full.mp4",
                120,
                "keyint=50:bframes=2",
                ["-pix_fmt", "yuvj420p", "-color_range", "pc"],
                copying: .none
            ),
            CopySource("10 bits", "ten.mp4", 120, "keyint=50:bframes=2", ["-pix_fmt", "yuv420p10le"], copying: .none),
        ]

    /// Ways to group pictures and to code them.
    private static let groups = [
        CopySource("pyramid", "pyramid.mp4", 260, "keyint=50:bframes=5:b-pyramid=normal:ref=4", longestTail: 5),
        CopySource("groups of 10 s", "long.mp4", 600, "keyint=250:bframes=3"),
        CopySource("CAVLC", "cavlc.mkv", 240, "keyint=48:cabac=0:bframes=2:weightp=2", ["-profile:v", "main"]),
        CopySource("slices in a transport stream", "slices.ts", 230, "keyint=40:slices=8:bframes=2"),
        CopySource("Baseline", "baseline.mp4", 220, "keyint=30", ["-profile:v", "baseline"]),
        CopySource("all IDR", "idr.mov", 90, "keyint=1"),
        CopySource("HRD", "hrd.ts", 230, "keyint=50:nal-hrd=vbr:vbv-maxrate=800:vbv-bufsize=800:pic-struct=1"),
        CopySource(
            "weighted prediction",
            "weighted.mp4",
            200,
            "keyint=50:weightb=1:weightp=2:bframes=8:b-adapt=2",
            longestTail: 8,
            filter: ",fade=in:0:60,fade=out:120:60"
        ),
        CopySource("temporal direct", "direct.mkv", 200, "keyint=50:bframes=3:direct=temporal:b-pyramid=strict:ref=8"),
        CopySource("Main of one slice", "main.flv", 200, "keyint=50:bframes=2:ref=1", ["-profile:v", "main"]),
    ]

    /// Settings of usual makers.
    private static let devices = [
        CopySource(
            "a phone of Apple's",
            "iphone.mov",
            200,
            "keyint=25:bframes=0:ref=1:level=42:b-pyramid=none",
            ["-video_track_timescale", "600", "-profile:v", "high"]
        ),
        CopySource(
            "a drone",
            "drone.mp4",
            200,
            "keyint=25:bframes=0:ref=1:aud=1:weightp=0:nal-hrd=cbr:bitrate=900:vbv-maxrate=900:vbv-bufsize=900"
        ),
        CopySource(
            "a recorder of screens",
            "screen.mkv",
            300,
            "keyint=60:bframes=2:threads=4:sliced-threads=1:rc-lookahead=0:mbtree=0:bitrate=900:vbv-maxrate=900"
                + ":vbv-bufsize=900:nal-hrd=cbr:filler=1"
        ),
    ]

    private static let portrait = [
        CopySource("an upright phone", "tall.mp4", 220, "keyint=25:bframes=0:ref=1", raster: .portrait),
        CopySource("another upright phone", "taller.mov", 220, "keyint=50:bframes=2", raster: .portrait),
        CopySource(
            "an upright phone of Baseline",
            "tallest.mp4",
            220,
            "keyint=30",
            ["-profile:v", "baseline"],
            raster: .portrait
        ),
    ]

    private static let anamorphic = [
        CopySource("wide pixels", "wide.mp4", 220, "keyint=50:bframes=3", raster: .anamorphic),
        CopySource("wide pixels in Matroska", "wider.mkv", 220, "keyint=40:bframes=2:cabac=0", raster: .anamorphic),
        CopySource("wide pixels of DVB", "widest.ts", 220, "keyint=24:bframes=2:slices=4:aud=1", raster: .anamorphic),
    ]

    private static let hevc = [
        CopySource("HEVC of closed groups", "main.mp4", 240, "keyint=50:min-keyint=50:open-gop=0", raster: .hevc),
        CopySource(
            "HEVC of open groups",
            "cra.mov",
            260,
            "keyint=40:min-keyint=40:open-gop=1:bframes=4:b-adapt=0:b-pyramid=1",
            ["-tag:v", "hvc1"],
            raster: .hevc
        ),
        CopySource(
            "HEVC with slices in a transport stream",
            "eight.ts",
            230,
            "keyint=50:open-gop=0:ctu=16:slices=8:aud=1:hrd=1:vbv-maxrate=800:vbv-bufsize=800",
            raster: .hevc
        ),
        CopySource(
            "HEVC in Matroska",
            "radl.mkv",
            220,
            "keyint=30:min-keyint=30:open-gop=0:radl=2:bframes=3:ref=4",
            raster: .hevc
        ),
    ]
}
