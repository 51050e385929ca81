import CompositionModel

extension VideoEncoding {
    /// What x265 is told beside size, rate and colour. Its threads and what it writes of itself are pinned: with other
    /// numbers of threads it makes other bytes.
    var hevcOptions: [String: String] {
        let pinned =
            "info=0:open-gop=0:pools=none:frame-threads=1:wpp=0:pmode=0:pme=0:lookahead-slices=0:repeat-headers=0:aud=0"
            + ":hrd=0:hash=0:rc-lookahead=20:log-level=error"
        return [
            "preset": speed ?? "medium",
            "crf": decimal(thousandths: crfThousandths ?? 20000),
            "forced-idr": "1",
            "x265-params": pinned + (isSteady == true ? ":cutree=0:qcomp=1:aq-mode=0" : "")
                + (VectorCode.isX264Plain ? ":asm=0" : ""),
        ]
    }
}
