/// How a report looks: light or dark as the reader's machine is, black on white on paper.
enum ReportStyle {
    static let css = """
        :root { color-scheme: light dark; --paper: #f5f6f8; --card: #fff; --ink: #15181e; --soft: #545d6c; --line: #dfe3ea;
          --done: #3fa873; --failed: #c9353c; --open: #b9c0cc; --cancelled: #8a93a3; --late: #b36b00; }
        @media (prefers-color-scheme: dark) { :root { --paper: #0e1014; --card: #16191f; --ink: #e9ecf2; --soft: #9aa4b5;
          --line: #2a2f39; --done: #38935f; --failed: #ff7a7f; --open: #4a5261; --cancelled: #6d7686; --late: #f2bd4b; } }
        * { box-sizing: border-box; }
        body { max-width: 60rem; margin: 0 auto; padding: 2rem 1.2rem 3rem; background: var(--paper); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
          font-variant-numeric: tabular-nums; }
        h1, h2, p, ul, dl, dd { margin: 0; padding: 0; }
        h1 { font-size: 1.7rem; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
        h2 { margin-bottom: .5rem; font-size: 1.05rem; }
        h2 span { margin-left: .3rem; color: var(--soft); font-weight: 500; }
        .period, footer, small, .more, th { color: var(--soft); }
        .period { margin-bottom: .2rem; }
        .bar { display: flex; gap: 2px; height: 10px; margin: 1.1rem 0; overflow: hidden; border-radius: 5px; }
        .bar i { min-width: 4px; background: var(--open); }
        .bar .done { background: var(--done); } .bar .failed { background: var(--failed); }
        .bar .cancelled { background: var(--cancelled); }
        dl { display: flex; flex-wrap: wrap; gap: 1px; overflow: hidden;
          background: var(--line); border: 1px solid var(--line); border-radius: 8px; }
        dl div { flex: 1 0 7.4rem; padding: .6rem .8rem; background: var(--card); }
        dt { color: var(--soft); font-size: .82rem; }
        dd { font-size: 1.25rem; font-weight: 650; }
        small { display: block; font-size: .8rem; font-weight: 400; overflow-wrap: anywhere; }
        section { margin-top: 2rem; }
        ul { list-style: none; }
        li { padding: .65rem .9rem; margin-bottom: .4rem; background: var(--card); border: 1px solid var(--line);
          border-left: 4px solid var(--open); border-radius: 6px; overflow-wrap: anywhere; break-inside: avoid; }
        .failed li { border-left-color: var(--failed); } .late li { border-left-color: var(--late); }
        li p { margin-top: .25rem; }
        .wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
        table { width: 100%; border-collapse: collapse; }
        th, td { padding: .45rem .8rem; text-align: right; vertical-align: top; white-space: nowrap; }
        th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; }
        th { font-size: .82rem; font-weight: 550; }
        tbody tr { border-top: 1px solid var(--line); break-inside: avoid; }
        td b { font-weight: 600; }
        footer { margin-top: 2.5rem; font-size: .82rem; }
        @media print { :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --done: #555;
            --failed: #000; --open: #ccc; --late: #555; }
          body { max-width: none; padding: 0; font-size: 10pt; } .wide { overflow: visible; }
          .bar i { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
        """
}
