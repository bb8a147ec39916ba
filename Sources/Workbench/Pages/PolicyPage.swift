/// What pages about policies have beyond other pages: answers, source beside reasons, and tinted cells.
package enum PolicyPage {
    package static let style = """
        :root { --mark: #fff3c4; --says: #6b4a00; --won: #d9efdf; --passed: #eef0f3; --yes: #eef7f0; --no: #fdf0ef;
          --ask: #fff7e8; --refused: #fde3e1; --uncovered: #f7c6c2; --granted: #dff2e4; --tint: 91%; }
        @media (prefers-color-scheme: dark) { :root { --mark: #4a3f14; --says: #e2bd6a; --won: #1f4429; --passed: #262d35;
          --yes: #17301f; --no: #3d1e1c; --ask: #3a2c10; --refused: #4a2320; --uncovered: #6b2a25; --granted: #1d4027;
          --tint: 22%; } }
        main { max-width: 86rem; }
        .answer { font-size: 1.1rem; padding: .6rem .8rem; border-left: .35rem solid #2b7a3d; background-color: var(--yes); }
        .answer.no { border-color: #b3261e; background-color: var(--no); }
        .answer.ask { border-color: #a86500; background-color: var(--ask); }
        .columns { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
        .columns > * { flex: 1 1 34rem; min-width: 0; }
        table { width: 100%; }
        th, td, th:last-child, td:last-child { padding: .25rem .5rem; }
        th { background-color: var(--tile); position: sticky; top: 0; vertical-align: top; }
        td > div + div { margin-top: .35rem; }
        .wide td, .wide th { white-space: nowrap; }
        .source { font: 13px/1.5 ui-monospace, monospace; border: 1px solid; border-color: var(--line); overflow-x: auto; }
        .source > div { white-space: pre; padding: 0 .6rem 0 0; }
        .source .number { display: inline-block; width: 3.2rem; padding-right: .7rem; text-align: right;
                          color: var(--soft); user-select: none; }
        .source .ran { background-color: var(--mark); }
        .source .won { background-color: var(--won); }
        .source .passed { background-color: var(--passed); }
        .source .says { padding-left: 4.4rem; color: var(--says); white-space: pre-wrap; }
        .legend span { padding: 0 .4rem; margin-right: .6rem; }
        @media print {
          :root { --mark: #fff3c4; --says: #6b4a00; --won: #d9efdf; --passed: #eef0f3; --yes: #eef7f0; --no: #fdf0ef;
            --ask: #fff7e8; --refused: #fde3e1; --uncovered: #f7c6c2; --granted: #dff2e4; --tint: 91%; }
          th { position: static; }
        }
        """
}
