extension HTMLPage {
    /// The class of a table that is too wide for a sheet that stands upright.
    static let broad = "broad"

    /// All sheets of a page with such a table are landscape, so that all are read one way round.
    static func orientation(of body: String) -> String {
        body.contains("class=\"wide \(broad)\"") ? "\n@media print { @page { size: landscape; } }" : ""
    }

    /// Where lines run from the right.
    static let styleFromTheRight = """

        caption, figcaption, th, td { text-align: right; } .figure { text-align: left; }
        th, td { padding-right: 0; padding-left: 1.1rem; } ul { padding-left: 0; padding-right: 1.4rem; } .chart { direction: ltr; }
        .library img { margin-right: 0; margin-left: .6rem; } .tiles > div { margin-right: 0; margin-left: .8rem; }
        .parameters dd { margin-left: 0; margin-right: .4rem; } .legend svg { margin-right: 0; margin-left: .4rem; }
        """

    /// What all pages share: colours for light and dark, type, tables, charts, paper.
    static let style = """
        :root { color-scheme: light dark; --ink: #1b1f23; --soft: #57606a; --line: #d5dae0; --paper: #fff; --tile: #f4f6f8;
          --accent: #1f5fa8; \(ChartPalette.lightVariables) }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a3adb8; --line: #39424c; --paper: #15191d;
          --tile: #1e242a; --accent: #7db4ee; \(ChartPalette.darkVariables) } }
        * { box-sizing: border-box; }
        body { margin: 0; background-color: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
        main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
        h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid; border-color: var(--line); padding-bottom: .2rem; }
        p { margin: .3rem 0; } ul { margin: .2rem 0 .6rem; padding-left: 1.4rem; }
        a { color: var(--accent); }
        .soft { color: var(--soft); }
        .wide { overflow-x: auto; margin: .8rem 0 1.4rem; }
        .wide:focus-visible, summary:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        caption, figcaption { text-align: left; font-weight: 600; padding: .2rem 0 .4rem; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        th, td { text-align: left; padding: .3rem 1.1rem .3rem 0; border-bottom: 1px solid;
          border-color: var(--line); vertical-align: top; }
        th:last-child, td:last-child { padding-right: .2rem; }
        th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
        tfoot td { font-weight: 600; border-top: 2px solid; border-bottom: 0; }
        .figure { text-align: right; } .figure, .whole { white-space: nowrap; }
        figure { margin: 1rem 0 1.8rem; }
        figure .wide { margin: 0; }
        svg.chart { display: block; width: 100%; min-width: 40rem; height: auto; }
        .chart text { fill: var(--soft); } .chart .value { fill: var(--ink); }
        .chart .grid { stroke: var(--line); } .chart .axis { stroke: var(--soft); } .chart .edge { stroke: var(--paper); }
        \(ChartPalette.rules)
        .legend { color: var(--soft); font-size: .9rem; margin: .4rem 0; }
        .legend span { white-space: nowrap; display: inline-block; margin-right: 1.2rem; } .legend svg { margin-right: .4rem; vertical-align: -1px; }
        details { font-size: .9rem; margin-top: .4rem; } summary { cursor: pointer; color: var(--soft); }
        @media print {
          :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --tile: #f4f6f8; --accent: #000;
            \(ChartPalette.lightVariables) }
          .unseen { display: none; }
          body { font-size: 10pt; } main { max-width: none; padding: 0; }
          table { font-size: 9pt; } th, td { padding-right: .7rem; padding-top: .16rem; padding-bottom: .16rem; } .broad .whole { white-space: normal; }
          .wide { overflow: visible; } svg.chart { min-width: 0; max-width: 160mm; } figure details { display: none; }
          thead { display: table-header-group; } tr, figure, .tiles > div { break-inside: avoid; }
          h1, h2, caption { break-after: avoid; } a { color: inherit; }
          @page { margin: 16mm 14mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
        }
        """
}
