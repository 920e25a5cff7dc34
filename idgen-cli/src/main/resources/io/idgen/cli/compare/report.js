'use strict';
// Draws the report from the JSON in the page. Inserts data into the page only as text, never as HTML.
(function () {
    const data = JSON.parse(document.getElementById('data').textContent);
    const measured = data.strategies.filter(s => s.failure === null);
    const report = document.getElementById('report');
    const darkness = window.matchMedia('(prefers-color-scheme: dark)');
    const FONT = getComputedStyle(document.body).fontFamily; // by name, otherwise the widths of texts are wrong
    const c = data.conditions;
    const e = data.environment;

    // the choices of the reader
    const state = {hidden: new Set(), opened: false, sort: null, down: true};
    let printing = false;
    let redraws = [];
    let charts = [];

    // Each family has a hue and each member a shade, so that similar strategies have similar colours.
    const HUES = {SNOWFLAKE: [214, 72], TABLE: [24, 78], OWN: [150, 60], PEER: [174, 64], TSID: [338, 60], WITH_ROW: [220, 8], UUID: [292, 48]};
    const FAMILIES = {
        SNOWFLAKE: 'Snowflake', TABLE: 'from the database', OWN: 'your own', PEER: 'other libraries', TSID: 'TSID',
        WITH_ROW: 'with the row', UUID: '128 bits'
    };
    const DASHES = ['solid', [7, 4], [2, 3], [10, 3, 2, 3], [5, 2]];
    const member = new Map();
    const size = {};
    measured.forEach(s => {
        size[s.family] = size[s.family] || 0;
        member.set(s.name, size[s.family]++);
    });

    // Snowflake strategies with the same result are folded into one until the reader unfolds them.
    const available = x => x.outage ? x.outage.given > 0 && 2 * x.outage.given >= x.outage.wanted && x.outage.servedSeconds >= x.outage.seconds : null;
    const snowflakes = measured.filter(x => x.family === 'SNOWFLAKE');
    const speaker = snowflakes.find(x => x.name === 'snowflake-leased') || snowflakes[0];
    const folded = snowflakes.filter(x => x.duplicates.count === 0 && available(x) === available(speaker));
    const canFold = folded.length > 2 && folded.includes(speaker);

    function isFolded(x) {
        return canFold && !state.opened && folded.includes(x);
    }

    /** Returns the strategies to draw. One strategy stands for all folded ones. */
    function shown() {
        return measured.filter(x => !state.hidden.has(x.family) && (!isFolded(x) || x === speaker));
    }

    function isDark() {
        return darkness.matches && !printing;
    }

    function colour(s) {
        const [hue, saturation] = HUES[s.family];
        const share = size[s.family] === 1 ? 0.4 : member.get(s.name) / (size[s.family] - 1);
        const light = isDark() ? 80 - 30 * share : 30 + 34 * share;
        return `hsl(${hue}, ${saturation}%, ${light}%)`;
    }

    function token(name) {
        return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    }

    // ---- numbers for people

    const grouped = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});

    function figure(n) {
        if (n === null || n === undefined) return '–';
        if (n === 0) return '0';
        const a = Math.abs(n);
        if (a >= 1000) {
            const unit = Math.pow(10, Math.floor(Math.log10(a)) - 2);
            return grouped.format(Math.round(n / unit) * unit);
        }
        return a >= 100 ? n.toFixed(0) : a >= 10 ? n.toFixed(1) : n.toFixed(2);
    }

    function short(n) {
        if (n >= 1e9) return +(n / 1e9).toPrecision(3) + ' G';
        if (n >= 1e6) return +(n / 1e6).toPrecision(3) + ' M';
        if (n >= 1e3) return +(n / 1e3).toPrecision(3) + ' k';
        return String(+n.toPrecision(3));
    }

    function time(micros) {
        if (micros >= 1e6) return +(micros / 1e6).toPrecision(3) + ' s';
        if (micros >= 1e3) return +(micros / 1e3).toPrecision(3) + ' ms';
        return +micros.toPrecision(3) + ' µs';
    }

    function many(n, one, more) {
        return `${n === 0 ? 'no' : grouped.format(n)} ${n <= 1 ? one : more}`;
    }

    function percent(share) {
        return share === 0 ? '0 %' : (100 * share).toFixed(share < 0.001 ? 3 : 1) + ' %';
    }

    function bytes(n) {
        return n < 1048576 ? figure(n / 1024) + ' KiB' : (n / 1048576).toFixed(2) + ' MiB';
    }

    // the share of requested ids that were generated: a call that waits through the outage does not fail, but returns
    // no id
    const given = x => Math.min(1, x.outage.wanted > 0 ? x.outage.given / x.outage.wanted : 0);

    /** Formats a range. If both ends have the same unit, it appears once. */
    function range(low, high) {
        const [, number, unit] = /^(\S+)( .*)?$/.exec(low);
        return low === high ? low : unit && high.endsWith(unit) ? `${number} – ${high}` : `${low} – ${high}`;
    }

    function span(speed) {
        return range(short(speed.low), short(speed.high));
    }

    function names(some) {
        const all = canFold && folded.every(x => some.includes(x));
        return (all ? [`all ${folded.length} snowflake kinds`] : [])
            .concat(some.filter(x => !all || !folded.includes(x)).map(x => x.name)).join(', ');
    }

    // ---- the page

    function element(tag, parent, text, className) {
        const e = document.createElement(tag);
        if (text !== undefined && text !== null) e.textContent = text;
        if (className) e.className = className;
        if (parent) parent.appendChild(e);
        return e;
    }

    /** Adds a section. The finding is for all readers, including those who cannot see the chart. */
    function section(id, title, finding, lead) {
        const s = element('section', report);
        s.id = id;
        element('h2', s, title);
        if (finding) element('p', s, finding, 'finding');
        if (lead) element('p', s, lead, 'lead');
        return s;
    }

    function label(parent, s) {
        const dot = element('span', parent, null, 'dot');
        redraws.push(() => { dot.style.background = colour(s); });
        parent.appendChild(document.createTextNode(s.name));
    }

    /** Adds the data below a chart. */
    function table(parent, columns, rows) {
        const details = element('details', parent);
        element('summary', details, 'Data');
        const t = element('table', element('div', details, null, 'scroll'));
        const head = element('tr', element('thead', t));
        columns.forEach(c => { element('th', head, c).scope = 'col'; });
        const body = element('tbody', t);
        rows.forEach(cells => {
            const row = element('tr', body);
            cells.forEach((cell, i) => {
                const c = element(i === 0 ? 'th' : 'td', row);
                if (i === 0) c.scope = 'row';
                if (cell && cell.strategy) {
                    label(c, cell.strategy);
                } else if (cell && cell.text !== undefined) {
                    c.textContent = cell.text;
                    c.className = cell.className;
                } else {
                    c.textContent = cell;
                }
            });
        });
    }

    function plot(parent, height, option, finding) {
        const div = element('div', parent, null, 'plot');
        div.style.height = height + 'px';
        div.setAttribute('role', 'img');
        div.setAttribute('aria-label', finding);
        const chart = echarts.init(div, null, {renderer: 'svg'});
        charts.push(chart);
        redraws.push(() => chart.setOption(Object.assign({
            animation: false,
            textStyle: {fontFamily: FONT, color: token('text')}
        }, option()), true));
        new ResizeObserver(() => chart.isDisposed() || printing || chart.resize()).observe(div);
        return div;
    }

    function axis(extra) {
        return Object.assign({
            axisLabel: {color: token('muted'), hideOverlap: true},
            axisLine: {lineStyle: {color: token('line')}},
            axisTick: {show: false},
            splitLine: {lineStyle: {color: token('line')}},
            nameTextStyle: {color: token('muted')},
            nameLocation: 'middle'
        }, extra);
    }

    function tip(extra) {
        return Object.assign({
            backgroundColor: token('card'),
            borderColor: token('line'),
            textStyle: {color: token('text'), fontSize: 13},
            confine: true,
            renderMode: 'richText'
        }, extra);
    }

    function narrow() {
        return window.innerWidth < 640 && !printing;
    }

    /** Draws a horizontal bar per strategy, with its value and, if there is one, its interval. */
    function bars(parent, rows, value, text, options) {
        const shown = rows.slice().reverse();
        plot(parent, 34 * rows.length + (options.name ? 58 : 30), () => ({
            grid: {left: narrow() ? 118 : options.left || 150, right: narrow() ? 62 : options.right || 92, top: 6, bottom: options.name ? 46 : 22},
            tooltip: tip({formatter: p => p.name + '\n' + options.tip(shown[p.dataIndex])}),
            xAxis: axis({
                type: options.log ? 'log' : 'value',
                min: options.min,
                max: options.max,
                name: options.name,
                nameGap: 28,
                splitNumber: narrow() ? 3 : 5,
                axisLabel: {color: token('muted'), hideOverlap: true, formatter: options.axis || short}
            }),
            yAxis: axis({
                type: 'category',
                data: shown.map(s => s.name),
                splitLine: {show: false},
                axisLabel: {color: token('text'), fontSize: narrow() ? 11 : 13}
            }),
            series: [{
                type: 'bar',
                barWidth: 16,
                data: shown.map(s => ({value: value(s), itemStyle: {color: colour(s.of || s), opacity: s.faded ? 0.45 : 1, borderRadius: [0, 3, 3, 0]}})),
                markLine: options.spread && {
                    silent: true,
                    symbol: ['none', 'none'],
                    label: {show: false},
                    lineStyle: {type: 'solid'},
                    // a wider line below each interval keeps it visible on a bar of a similar colour
                    data: [['card', 4.5], ['text', 1.5]].flatMap(([name, width]) => shown.map(s => {
                        const [low, high] = options.spread(s);
                        return [{coord: [low, s.name], lineStyle: {color: token(name), width}}, {coord: [high, s.name]}];
                    }))
                }
            }, {
                // the texts are to the right of the bar, or of its interval
                type: 'scatter',
                symbolSize: 1,
                silent: true,
                itemStyle: {color: 'transparent'},
                data: shown.map(s => [options.spread ? options.spread(s)[1] : value(s), s.name]),
                label: {show: true, position: 'right', distance: 8, color: token('text'), formatter: p => text(shown[p.dataIndex])}
            }]
        }), options.finding);
    }

    function rowsOf(of, cells) {
        return measured.filter(of).map(s => [{strategy: s}].concat(cells(s)));
    }

    const GRID = {left: 72, top: 16, bottom: 46};
    const endRoom = () => narrow() ? 132 : 176;
    const power = (n, round) => Math.pow(10, round(Math.log10(n)));

    /** Returns tops of labels near the wanted ones, so that no label overlaps another one or crosses the floor. */
    function spread(tops, height, floor) {
        const order = tops.map((_, i) => i).sort((a, b) => tops[a] - tops[b]);
        const at = tops.slice();
        order.forEach((i, n) => { if (n > 0) at[i] = Math.max(at[i], at[order[n - 1]] + height); });
        for (let n = order.length - 1, below = floor + height; n >= 0; n--) {
            at[order[n]] = Math.min(at[order[n]], below - height);
            below = at[order[n]];
        }
        return at;
    }

    /** Draws lines on a logarithmic axis, with their names at their ends. */
    function lines(parent, height, strategies, points, finding, options) {
        const of = strategies.map(s => ({s, points: points(s).filter(p => p[1] > 0)})).filter(l => l.points.length);
        const values = of.flatMap(l => l.points.map(p => p[1]));
        const low = options.min || power(Math.min(...values), Math.floor);
        const high = Math.max(10 * low, power(Math.max(...values), Math.ceil));
        plot(parent, height, () => {
            const scale = (height - GRID.top - GRID.bottom) / Math.log10(high / low);
            const ends = of.map(l => l.points[l.points.length - 1]);
            const natural = ends.map(p => scale * Math.log10(high / p[1]));
            const placed = spread(natural, narrow() ? 12 : 15, scale * Math.log10(high / low));
            return {
                grid: Object.assign({right: endRoom()}, GRID),
                tooltip: tip({trigger: 'item', formatter: options.tip}),
                xAxis: axis(options.x()),
                yAxis: axis(Object.assign({type: 'log', min: low, max: high, nameGap: 52}, options.y())),
                series: of.map(({s, points}) => ({
                    name: s.name,
                    type: 'line',
                    showSymbol: options.symbols,
                    symbolSize: 7,
                    data: points,
                    lineStyle: {color: colour(s), width: 2, type: DASHES[member.get(s.name) % DASHES.length]},
                    itemStyle: {color: colour(s)},
                    emphasis: {focus: 'series'}
                })).concat({
                    type: 'scatter',
                    symbolSize: 1,
                    silent: true,
                    itemStyle: {color: 'transparent'},
                    data: of.map((l, i) => ({
                        value: ends[i],
                        label: {
                            offset: [0, placed[i] - natural[i]],
                            formatter: `{dot|●}{name|${l.s.name}}`,
                            rich: {
                                dot: {color: colour(l.s), fontSize: narrow() ? 10 : 12},
                                name: {color: token('text'), fontSize: narrow() ? 10 : 12, padding: [0, 0, 0, 4]}
                            }
                        }
                    })),
                    label: {show: true, position: 'right', distance: 8}
                })
            };
        }, finding);
    }

    /** Returns a text with the strategies that have the smallest and the largest value. */
    function extremes(of, value, text, least, greatest) {
        if (!of.length) return '';
        const sorted = of.slice().sort((a, b) => value(a) - value(b));
        const ends = [sorted[0], sorted[sorted.length - 1]].map(end => of.filter(x => text(x) === text(end)));
        return `${least}: ${names(ends[0])}, ${text(ends[0][0])}.`
            + (ends[0][0] === ends[1][0] ? '' : ` ${greatest}: ${names(ends[1])}, ${text(ends[1][0])}.`);
    }

    const busy = data.load.tooHigh ? 'Other processes kept the machine too busy: these speeds mean nothing. ' : '';

    // ---- above the charts

    function top() {
        document.getElementById('sentence').textContent = data.headline.sentence;
        document.getElementById('where').textContent =
            `${e.database} · ${data.started.slice(0, 16).replace('T', ' ')} UTC · ${c.threads} threads, ${c.instances} `
            + (c.instances === 1 ? 'instance' : 'instances') + (data.load.tooHigh ? '' : ` · ${data.load.text}`);
        const notes = element('div', report, null, 'notes');
        if (data.load.tooHigh) element('p', notes, `Do not use these speeds: ${data.load.text}.`, 'warning');
        measured.filter(x => x.duplicates.count > 0).forEach(x =>
            element('p', notes, `${x.name} generated ${grouped.format(x.duplicates.count)} duplicates.`, 'warning'));
        data.strategies.filter(x => x.failure !== null).forEach(x =>
            element('p', notes, `${x.name} was not measured: ${x.failure}`, x.unfit ? 'note' : 'warning'));
        measured.filter(x => x.trouble !== null && x.trouble !== undefined).forEach(x => element('p', notes, `${x.name}: ${x.trouble}`, 'warning'));
        data.leftOut.forEach(what => element('p', notes, `Left out: ${what}`, 'note'));
    }

    function link(parent, chart) {
        const a = element('a', parent, 'See the chart');
        a.href = '#' + chart.toLowerCase();
        return a;
    }

    function tiles() {
        const grid = element('div', report, null, 'tiles');
        data.headline.tiles.forEach(t => {
            const tile = element('article', grid);
            element('h2', tile, t.title);
            element('p', tile, t.answer, 'answer');
            [['good', '✓', t.good], ['poor', '✗', t.bad]].filter(m => m[2]).forEach(([kind, sign, text]) => {
                const p = element('p', tile, null, kind);
                element('b', p, sign).setAttribute('aria-label', kind === 'good' ? 'Best:' : 'Not:');
                element('span', p, text);
            });
            link(tile, t.chart);
        });
    }

    function verdict() {
        const s = section('verdict', 'What to use', null,
            'From the figures below and nothing else. On another database or machine the answers may differ.');
        const grid = element('div', s, null, 'advice');
        data.advice.forEach(a => {
            const card = element('article', grid, null,
                a.need === 'unique ids' ? 'never' : a.take.startsWith('no difference') ? 'open' : '');
            element('p', card, 'If you need ' + a.need.replace('id % 8', 'id\u00a0%\u00a08'), 'need');
            element('p', card, (a.take.startsWith('no difference') || a.take.startsWith('not ') ? '' : 'use ') + a.take, 'take');
            const facts = element('ul', card);
            a.facts.forEach(f => element('li', facts, f));
            link(card, a.chart);
        });
    }

    function baseline() {
        const b = data.baseline;
        if (!b) return;
        const changed = b.changes.filter(x => x.result === 'BETTER' || x.result === 'WORSE');
        const s = section('baseline', 'Before and after',
            changed.length === 0 ? `No difference measured since ${b.started.slice(0, 16).replace('T', ' ')} UTC.`
                : `${changed.length} of ${b.changes.length} figures have changed since ${b.started.slice(0, 16).replace('T', ' ')} UTC.`,
            'A line through the end of a bar is its interval of 95 %. Figures whose intervals overlap do not differ measurably.');
        b.conditions.forEach(x => element('p', s, `Other conditions: ${x}`, 'warning'));
        const a = b.agreement;
        element('p', s, (a.differing.length === 0 ? `✓ All ${a.verdicts} verdicts are the same.` : `✗ ${a.differing.length} of ${a.verdicts} verdicts differ.`)
            + (a.figures === 0 ? '' : ` ${a.agreeing} of ${a.figures} figures agree (${(100 * a.agreeing / a.figures).toFixed(1)} %): their intervals overlap, or they differ by at most a tenth.`)
            + (a.notCompared === 0 ? '' : ` ${a.notCompared} figures: ${a.whyNot}.`), 'agreement');
        a.differing.forEach(x => element('p', s, `Verdict differs: ${x}`, 'note'));
        const known = new Map(measured.map(x => [x.name, x]));
        ['ids/s', 'rows/s'].forEach(figureName => {
            const of = b.changes.filter(x => x.figure === figureName && known.has(x.strategy)
                && shown().includes(known.get(x.strategy)));
            if (!of.length) return;
            element('h3', s, figureName);
            const finding = of.map(x => `${x.strategy}: ${x.text}`).join('; ');
            const rows = of.flatMap(x => [
                {name: `${x.strategy}, before`, of: known.get(x.strategy), span: x.before, faded: true, text: short(x.before.value)},
                {name: `${x.strategy}, now`, of: known.get(x.strategy), span: x.after, text: `${short(x.after.value)}, ${x.text}`}
            ]);
            bars(s, rows, x => x.span.value, x => x.text, {
                log: true, finding, left: 200, right: 240,
                min: Math.pow(10, Math.floor(Math.log10(Math.min(...rows.map(x => x.span.low))))),
                spread: x => [x.span.low, x.span.high],
                tip: x => `${figure(x.span.value)}\n${figure(x.span.low)} to ${figure(x.span.high)} ${figureName}`
            });
        });
        table(s, ['strategy', 'figure', 'before', 'now', 'change'], b.changes.map(x => [
            x.strategy, {text: x.figure, className: 'text'}, figure(x.before.value), figure(x.after.value),
            {text: (x.result === 'BETTER' ? '✓ ' : x.result === 'WORSE' ? '✗ ' : '') + x.text, className: x.result === 'WORSE' ? 'bad' : ''}]));
    }

    // ---- the table

    const COLUMNS = [
        {title: 'ids/s', of: x => x.speed, value: s => s.median, text: s => short(s.median), more: s => span(s), better: 1, speed: true},
        {title: 'median call', of: x => x.latency, value: l => l.p50, text: l => time(l.p50), better: -1, speed: true},
        {title: '99 % of calls', of: x => x.latency, value: l => l.p99, text: l => time(l.p99), better: -1, speed: true},
        {title: '99.9 %', of: x => x.latency, value: l => l.p999, text: l => time(l.p999), better: -1, speed: true},
        {title: 'slowest call', of: x => x.latency, value: l => l.slowest, text: l => time(l.slowest), better: -1, speed: true},
        {title: 'stalls > 1 ms', of: x => x.latency, value: l => l.stalls, text: l => grouped.format(l.stalls), better: -1, speed: true},
        {title: 'SQL round trips per 1,000 ids', of: x => x.roundTripsPerThousand, value: n => n, text: figure, better: -1},
        {title: 'dupli­cates', of: x => x.duplicates, value: d => d.count, text: d => grouped.format(d.count), better: -1},
        {title: 'ids lost by a kill', of: x => x.restart, value: r => Math.max(0, r.lostIds), text: r => r.lostIds < 0 ? 'none' : grouped.format(r.lostIds), better: -1},
        {title: 'ids out of order', of: x => x.order, value: o => o.shareWithin, text: o => percent(o.shareWithin), better: -1},
        {title: 'shard skew id % 8', of: x => x.order, value: o => o.fullestOf8, text: o => '× ' + o.fullestOf8.toFixed(2), better: -1},
        {title: 'available during outage', of: x => x.outage && x, value: x => available(x) ? 1 : given(x), text: x => available(x) ? '✓ yes' : '✗ ' + Math.round(100 * given(x)) + ' %', better: 1},
        {title: 'rows/s', of: x => x.inserts, value: i => i.speed.median, text: i => short(i.speed.median), more: i => span(i.speed), better: 1, speed: true},
        {title: 'index size', of: x => x.inserts, value: i => i.indexBytes, text: i => bytes(i.indexBytes), better: -1}
    ];

    function numbers() {
        const s = section('numbers', 'All strategies', busy,
            'Select a column to sort. Small figures are intervals of 95 %. A dash was not measured. Calls are at a fixed rate.'
            + (canFold && !state.opened ? ` The charts show ${speaker.name} for all ${folded.length} snowflake kinds until you open them.` : ''));
        const t = element('table', element('div', s, null, 'scroll'));
        const head = element('tr', element('thead', t));
        const titles = ['strategy'].concat(COLUMNS.map(c => c.title));
        titles.forEach((title, i) => {
            const th = element('th', head);
            th.scope = 'col';
            const button = element('button', th, title);
            button.type = 'button';
            if (state.sort === i) th.setAttribute('aria-sort', state.down ? 'descending' : 'ascending');
            button.addEventListener('click', () => {
                state.down = state.sort === i ? !state.down : i > 0 && COLUMNS[i - 1].better > 0;
                state.sort = i;
                draw();
                document.querySelectorAll('#numbers thead button')[i].focus();
            });
        });
        const rows = measured.filter(x => !state.hidden.has(x.family) && (!isFolded(x) || x === speaker));
        if (state.sort !== null) {
            const key = x => {
                if (state.sort === 0) return x.name;
                const found = COLUMNS[state.sort - 1].of(x);
                return found === null || found === undefined ? null : COLUMNS[state.sort - 1].value(found);
            };
            rows.sort((a, b) => {
                const [x, y] = [key(a), key(b)];
                if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1; // dashes come last
                return (x < y ? -1 : x > y ? 1 : 0) * (state.down ? -1 : 1);
            });
        }
        const body = element('tbody', t);
        const marks = COLUMNS.map(c => ends(c));
        rows.forEach(x => {
            const row = element('tr', body);
            const name = element('th', row);
            name.scope = 'row';
            const group = isFolded(x) ? folded : [x];
            if (group.length > 1) {
                const open = element('button', name, null, 'open');
                open.type = 'button';
                open.setAttribute('aria-expanded', 'false');
                label(open, Object.assign({}, x, {name: x.name}));
                open.lastChild.textContent = `snowflake, ${group.length} kinds ▸`;
                open.addEventListener('click', () => { state.opened = true; draw(); });
            } else {
                label(name, x);
            }
            COLUMNS.forEach((c, i) => {
                const cell = element('td', row);
                const found = group.map(c.of).filter(f => f !== null && f !== undefined);
                if (!found.length) {
                    cell.textContent = '–';
                    return;
                }
                found.sort((a, b) => c.value(a) - c.value(b));
                const texts = [c.text(found[0]), c.text(found[found.length - 1])];
                element('span', cell, texts[0]);
                if (texts[0] !== texts[1]) element('small', cell, 'to ' + texts[1]);
                if (c.more && group.length === 1) element('small', cell, c.more(found[0]));
                if (c.title.startsWith('dupli') && c.value(found[found.length - 1]) > 0) cell.classList.add('bad');
                const [best, worst] = marks[i];
                const all = group.every(g => best.includes(g)) ? 'best' : group.every(g => worst.includes(g)) ? 'worst' : '';
                if (all) {
                    cell.classList.add(all);
                    element('i', cell, ` (${all})`, 'unseen');
                }
            });
        });
    }

    /** Returns the best and the worst of a column; none if all are similar, or if its speeds mean nothing. */
    function ends(c) {
        const of = measured.filter(x => c.of(x) !== null && c.of(x) !== undefined);
        if (of.length < 2 || (c.speed && data.load.tooHigh)) return [[], []];
        const value = x => c.value(c.of(x)) * c.better;
        const sorted = of.slice().sort((a, b) => value(b) - value(a));
        const like = end => of.filter(x => {
            const [a, b] = [c.of(x), c.of(end)];
            const [s, t] = [a.speed || a, b.speed || b];
            return c.text(a) === c.text(b) || (c.more && s.low <= t.high && t.low <= s.high);
        });
        const [best, worst] = [like(sorted[0]), like(sorted[sorted.length - 1])];
        const rare = some => some.length > of.length / 2 ? [] : some;
        // if intervals are wide, many strategies are as good as the best
        return best.includes(sorted[sorted.length - 1]) ? [[], []] : [c.more ? rare(best) : best, rare(worst)];
    }

    function toolbar() {
        const bar = element('div', report, null, 'toolbar');
        bar.setAttribute('role', 'group');
        bar.setAttribute('aria-label', 'Strategies to show');
        element('span', bar, 'Show');
        const families = [...new Set(measured.map(x => x.family))];
        families.forEach(f => chip(bar, FAMILIES[f], !state.hidden.has(f), () => {
            if (!state.hidden.delete(f)) state.hidden.add(f);
            if (state.hidden.size === families.length) state.hidden.clear();
        }, measured.find(x => x.family === f)));
        if (canFold) chip(bar, `all ${folded.length} snowflake kinds`, state.opened, () => { state.opened = !state.opened; });
    }

    function chip(parent, text, on, toggle, strategy) {
        const b = element('button', parent, null, 'chip');
        b.type = 'button';
        b.setAttribute('aria-pressed', String(on));
        if (strategy) {
            const dot = element('span', b, null, 'dot');
            redraws.push(() => { dot.style.background = colour(strategy); });
        }
        b.appendChild(document.createTextNode(text));
        b.addEventListener('click', () => {
            const at = [...parent.querySelectorAll('button')].indexOf(b);
            toggle();
            draw();
            document.querySelectorAll('.toolbar button')[at].focus({preventScroll: true});
        });
    }

    // ---- the charts

    function throughput() {
        const of = shown().filter(x => x.speed);
        if (!of.length) return;
        const finding = busy + extremes(measured.filter(x => x.speed), x => -x.speed.median, x => short(x.speed.median) + ' ids/s', 'Most', 'Fewest');
        const s = section('throughput', 'Ids per second at full speed', finding,
            `The median of ${of[0].speed.runs.length} interleaved rounds of ${c.fullSpeedMillis} ms by ${c.threads} threads; the line through the end of a bar is its interval of 95 %. The axis is logarithmic.`);
        bars(s, of, x => x.speed.median, x => short(x.speed.median), {
            log: true, name: 'ids per second', finding,
            min: Math.pow(10, Math.floor(Math.log10(Math.min(...of.map(x => x.speed.low))))),
            spread: x => [x.speed.low, x.speed.high],
            tip: x => `median ${figure(x.speed.median)}\n${figure(x.speed.low)} to ${figure(x.speed.high)} ids/s`
        });
        table(s, ['strategy', 'median ids/s', 'low', 'high', 'what it is'], rowsOf(x => x.speed, x => [
            figure(x.speed.median), figure(x.speed.low), figure(x.speed.high), {text: x.what, className: 'text'}]));
    }

    function scaling() {
        const of = shown().filter(x => x.scaling.length > 1);
        if (!of.length) return;
        const gain = x => x.scaling[x.scaling.length - 1].perSecond / x.scaling[0].perSecond;
        const most = of[0].scaling[of[0].scaling.length - 1].threads;
        const finding = busy + `From 1 to ${most} threads. ` + extremes(of, x => -gain(x), x => '× ' + gain(x).toFixed(2), 'Best', 'Worst');
        const s = section('scaling', 'Scaling over threads', finding,
            `${c.instances} instances used by more and more threads, ${c.scalingMillis} ms each, on ${e.processors} processors. Both axes are logarithmic: a rising line scales, a flat line is a bottleneck.`);
        lines(s, 440, of, x => x.scaling.map(p => [String(p.threads), p.perSecond]), finding, {
            symbols: true,
            tip: p => `${p.seriesName}\n${p.value[0]} threads: ${figure(p.value[1])} ids/s`,
            x: () => ({type: 'category', data: of[0].scaling.map(x => String(x.threads)), name: 'threads', nameGap: 26, boundaryGap: false}),
            y: () => ({name: 'ids per second', axisLabel: {color: token('muted'), formatter: short}})
        });
        table(s, ['strategy'].concat(of[0].scaling.map(x => x.threads + (x.threads === 1 ? ' thread' : ' threads'))),
            rowsOf(x => x.scaling.length > 1, x => x.scaling.map(p => figure(p.perSecond))));
    }

    function latency() {
        const of = shown().filter(x => x.latency);
        if (!of.length) return;
        const finding = busy + '99 % of calls are at most this long. ' + extremes(measured.filter(x => x.latency), x => x.latency.p99, x => time(x.latency.p99), 'Shortest', 'Longest');
        const s = section('latency', 'Duration of a call', finding,
            `Each strategy from a cold start at ${grouped.format(c.pacedPerSecond)} ids/s, or half of its full speed, for ${c.pacedMillis} ms. Rarer, slower calls are to the right; both axes are logarithmic. Includes calls that a slow call delayed (coordinated omission).`);
        lines(s, 470, of, x => x.latency.percentiles.filter(p => p.percent < 99.999).map(p => [1 / (1 - p.percent / 100), Math.max(0.1, p.micros), p.percent]), finding, {
            symbols: false,
            min: 0.1,
            tip: p => `${p.seriesName}\n${p.data[2]} %: at most ${time(p.data[1])}`,
            x: () => ({type: 'log', min: 1, max: 10000, name: 'share of calls that are at most so long', nameGap: 28,
                axisLabel: {color: token('muted'), formatter: v => ({1: '0 %', 10: '90 %', 100: '99 %', 1000: '99.9 %', 10000: '99.99 %'})[v] || ''}}),
            y: () => ({name: 'duration of a call', axisLabel: {color: token('muted'), formatter: time}})
        });
        table(s, ['strategy', 'asked for', 'calls', 'first call', 'median', '99 %', '99.9 %', 'slowest', 'stalls > 1 ms'],
            rowsOf(x => x.latency, x => [grouped.format(x.latency.askedPerSecond) + ' /s', grouped.format(x.latency.calls),
                time(x.latency.firstMicros), time(x.latency.p50), time(x.latency.p99), time(x.latency.p999),
                time(x.latency.slowest), grouped.format(x.latency.stalls)]));
    }

    function stalls() {
        const of = shown().filter(x => x.latency);
        if (!of.length) return;
        // the top is a power of 100 times the lowest line, so that every second power of ten has its label
        const top = 0.1 * Math.pow(100, Math.ceil(Math.log10(10 * Math.max(1001, ...of.map(x => x.latency.slowest))) / 2));
        const MANY = 40;
        const s = section('stalls', 'Stalls over time',
            busy + extremes(measured.filter(x => x.latency), x => x.latency.stalls, x => many(x.latency.stalls, 'stall', 'stalls'), 'Fewest', 'Most'),
            `The slowest call of each sixtieth of that run. Dashed lines are fetched blocks of ids and leases; where there are more than ${MANY}, they are not drawn. The dotted line is one millisecond; the axis is logarithmic and the same for all.`);
        const grid = element('div', s, null, 'plots');
        of.forEach(x => {
            const marks = x.latency.marks.filter(m => m.atMillis >= 0);
            const f = element('figure', grid);
            const caption = element('figcaption', f);
            element('b', caption, x.name);
            const words = many(x.latency.stalls, 'stall', 'stalls')
                + (marks.length === 0 ? '' : ', ' + grouped.format(marks.length) + ' fetched');
            element('span', caption, words);
            plot(f, 150, () => ({
                grid: {left: 52, right: 22, top: 8, bottom: 24},
                tooltip: tip({trigger: 'axis', formatter: p => p[0] ? `${figure(p[0].value[0])} ms\nslowest call ${time(p[0].value[1])}` : ''}),
                xAxis: axis({type: 'value', min: 0, max: c.pacedMillis, splitNumber: 3, splitLine: {show: false},
                    axisLabel: {color: token('muted'), fontSize: 11, formatter: v => grouped.format(v) + (v === 0 ? '' : ' ms')}}),
                yAxis: axis({type: 'log', min: 0.1, max: top, interval: 2, axisLabel: {color: token('muted'), fontSize: 11, formatter: time}}),
                series: [{
                    type: 'line', step: 'end', showSymbol: false, connectNulls: false,
                    data: x.latency.timeline.map(t => [t.atMillis, t.slowestMicros > 0 ? Math.max(0.1, t.slowestMicros) : null]),
                    lineStyle: {color: colour(x), width: 1.5}, itemStyle: {color: colour(x)},
                    markLine: {
                        silent: true, symbol: 'none', label: {show: false},
                        data: [{yAxis: 1000, lineStyle: {color: token('bad'), type: 'dotted', width: 1.5}}].concat(
                            marks.length > MANY ? [] : marks.map(m => ({xAxis: m.atMillis, lineStyle: {color: token('muted'), type: 'dashed', width: 1}})))
                    }
                }]
            }), `${x.name}: ${words}, slowest call ${time(x.latency.slowest)}`);
        });
        table(s, ['strategy', 'stalls > 1 ms', 'slowest call', 'fetched or leased', 'first of them'], rowsOf(x => x.latency, x => {
            const first = x.latency.marks.find(m => m.atMillis >= 0);
            return [grouped.format(x.latency.stalls), time(x.latency.slowest),
                grouped.format(x.latency.marks.filter(m => m.atMillis >= 0).length),
                {text: first ? first.text : '–', className: 'text'}];
        }));
    }

    function trips() {
        const of = shown().filter(x => x.roundTripsPerThousand !== null);
        if (!of.length) return;
        const finding = extremes(measured.filter(x => x.roundTripsPerThousand !== null), x => x.roundTripsPerThousand, x => figure(x.roundTripsPerThousand), 'Fewest', 'Most');
        const s = section('trips', 'SQL round trips per 1,000 ids', finding,
            'Statements, commits and rollbacks below the connection pool during the run at a fixed rate, after the first id of each instance.');
        bars(s, of, x => x.roundTripsPerThousand, x => figure(x.roundTripsPerThousand), {
            name: 'SQL round trips per 1,000 ids', axis: v => grouped.format(v), finding,
            tip: x => figure(x.roundTripsPerThousand) + ' round trips'
        });
        table(s, ['strategy', 'SQL round trips per 1,000 ids', 'ids asked for'], rowsOf(x => x.roundTripsPerThousand !== null, x => [
            figure(x.roundTripsPerThousand), x.latency ? grouped.format(x.latency.calls) : '–']));
    }

    function order() {
        const of = shown().filter(x => x.order);
        if (!of.length) return;
        const all = measured.filter(x => x.order);
        const s = section('order', 'Order of ids and spread over shards',
            'Out of order within an instance. ' + extremes(all, x => x.order.shareWithin, x => percent(x.order.shareWithin), 'Least', 'Most')
            + ' Largest of eight shards, relative to its fair share. ' + extremes(all, x => x.order.fullestOf8, x => '× ' + x.order.fullestOf8.toFixed(1), 'Most even', 'Least even'),
            `The first ${of[0].order.ranks.length} ids in the order of issue (to the right) and their rank by size (upwards). A line is perfect order; ids in red are smaller than an earlier one of any instance.`);
        const grid = element('div', s, null, 'plots small');
        of.forEach(x => {
            const f = element('figure', grid);
            const caption = element('figcaption', f);
            element('b', caption, x.name);
            const words = `out of order: ${percent(x.order.shareWithin)} within, ${percent(x.order.share)} among instances`;
            element('span', caption, words);
            plot(f, 170, () => {
                const points = x.order.ranks.map((r, i) => [i, r < 0 ? -1 - r : r, r < 0]);
                const side = {min: 0, max: points.length, axisLabel: {show: false}, splitLine: {show: false}};
                return {
                    grid: {left: 10, right: 8, top: 8, bottom: 10},
                    tooltip: tip({formatter: p => `issued as number ${p.value[0] + 1}\nrank by size ${p.value[1] + 1}`}),
                    xAxis: axis(Object.assign({type: 'value'}, side)),
                    yAxis: axis(Object.assign({type: 'value'}, side)),
                    series: [
                        {type: 'scatter', symbolSize: 3.5, data: points.filter(p => !p[2]), itemStyle: {color: colour(x)}},
                        {type: 'scatter', symbolSize: 3.5, data: points.filter(p => p[2]), itemStyle: {color: token('bad')}}
                    ]
                };
            }, `${x.name}: ${words}`);
        });
        table(s, ['strategy', 'ids', 'out of order among all', 'within an instance', 'shard skew id % 8'],
            rowsOf(x => x.order, x => [grouped.format(x.order.keys), grouped.format(x.order.inversions) + ' (' + percent(x.order.share) + ')',
                percent(x.order.shareWithin), '× ' + x.order.fullestOf8.toFixed(2)]));
    }

    function outage() {
        const of = shown().filter(x => x.outage);
        if (!of.length) {
            if (!measured.some(x => x.outage)) {
                section('outage', 'During an outage of the database', 'Not tried: the URL does not name a single host, so no outage could be simulated.');
            }
            return;
        }
        const finding = extremes(measured.filter(x => x.outage), x => available(x) ? -2 : -given(x),
            x => available(x) ? 'without a gap' : (100 * given(x)).toFixed(0) + ' %', 'Most ids', 'Fewest ids');
        const s = section('outage', 'During an outage of the database', finding,
            `Each strategy was asked for ${c.outagePerSecond} ids/s while a proxy cut off the database for ${time(c.outageMillis * 1e3)}. A call waited for at most ${c.outagePatienceMillis} ms.`);
        bars(s, of, x => 100 * given(x), x => figure(100 * given(x)) + ' %', {
            name: 'ids given, of those asked for', axis: v => v + ' %', max: 100, finding,
            tip: x => `${grouped.format(x.outage.given)} ids, ${grouped.format(x.outage.failed)} failed calls`
        });
        table(s, ['strategy', 'ids given', 'asked for', 'failed calls', 'available for', 'next id after the end', 'error'], rowsOf(x => x.outage, x => [
            grouped.format(x.outage.given), grouped.format(x.outage.wanted), grouped.format(x.outage.failed),
            x.outage.given === 0 ? 'no time' : time(x.outage.servedSeconds * 1e6),
            x.outage.recoveredMillis < 0 ? 'none within 10 s' : x.outage.failed === 0 ? '–' : time(x.outage.recoveredMillis * 1e3),
            {text: x.outage.error || '–', className: 'text'}]));
    }

    function restart() {
        const of = shown().filter(x => x.restart);
        const counted = of.filter(x => x.restart.lostIds >= 0);
        if (!of.length) return;
        const finding = extremes(measured.filter(x => x.restart && x.restart.lostIds >= 0), x => x.restart.lostIds, x => many(x.restart.lostIds, 'id', 'ids'), 'Fewest lost', 'Most lost')
            + ' Snowflake ids follow time, so none are lost.';
        const s = section('gaps', 'Ids lost by a kill', finding,
            `A process that had generated ${c.idsPerLife} ids with each strategy was killed, and another process generated ids. Ids between the last and the next one are lost: a gap, not a duplicate.`);
        if (counted.length) {
            bars(s, counted, x => x.restart.lostIds, x => grouped.format(x.restart.lostIds), {
                name: 'ids lost', axis: v => grouped.format(v), finding,
                tip: x => `${grouped.format(x.restart.lostIds)} ids between ${x.restart.lastBefore} and ${x.restart.firstAfter}`
            });
        }
        table(s, ['strategy', 'last id before', 'first id after', 'ids lost', 'time between', 'first id took'], rowsOf(x => x.restart, x => [
            x.restart.lastBefore, x.restart.firstAfter, x.restart.lostIds < 0 ? 'none' : grouped.format(x.restart.lostIds),
            x.restart.jumpMillis ? time(x.restart.jumpMillis * 1e3) : '–', time(x.restart.firstMillis * 1e3)]));
    }

    function inserts() {
        const of = shown().filter(x => x.inserts);
        if (!of.length) return;
        const all = measured.filter(x => x.inserts);
        const speeds = busy + extremes(all, x => -x.inserts.speed.median, x => short(x.inserts.speed.median) + ' rows/s', 'Most', 'Fewest');
        const sizes = extremes(all, x => x.inserts.indexBytes, x => bytes(x.inserts.indexBytes), 'Smallest', 'Largest');
        const s = section('inserts', 'Inserts and index size', speeds + ' ' + sizes,
            `${grouped.format(of[0].inserts.rows)} rows in ${of[0].inserts.speed.runs.length} rounds, each parent with ${c.childrenPerParent} children, ${c.parentsPerTransaction} parents to a transaction, in JDBC batches. With identity, parents are inserted one by one, because their children need the key. Sizes: ${c.bytesAre}.`
            + (e.inProcess ? ' The database runs in the process of the comparison, so a round trip costs nothing here.' : ''));
        const pair = element('div', s, null, 'pair');
        bars(element('div', pair), of, x => x.inserts.speed.median, x => short(x.inserts.speed.median), {
            name: 'rows per second', right: 64, finding: speeds,
            spread: x => [x.inserts.speed.low, x.inserts.speed.high],
            tip: x => `median ${figure(x.inserts.speed.median)}\n${figure(x.inserts.speed.low)} to ${figure(x.inserts.speed.high)} rows/s`
        });
        const mebi = Math.max(...of.map(x => x.inserts.indexBytes)) >= 4 * 1048576;
        const unit = mebi ? 1048576 : 1024;
        bars(element('div', pair), of, x => x.inserts.indexBytes / unit, x => bytes(x.inserts.indexBytes), {
            name: mebi ? 'size, MiB' : 'size, KiB', axis: v => grouped.format(v), right: 84, finding: sizes,
            tip: x => bytes(x.inserts.indexBytes)
        });
        table(s, ['strategy', 'rows', 'rows/s', 'low', 'high', 'SQL round trips per 1,000 rows', 'index size', 'tables and indexes'], rowsOf(x => x.inserts, x => [
            grouped.format(x.inserts.rows), figure(x.inserts.speed.median), figure(x.inserts.speed.low), figure(x.inserts.speed.high),
            figure(x.inserts.roundTripsPerThousand), bytes(x.inserts.indexBytes), bytes(x.inserts.bytes)]));
    }

    function bits() {
        const seen = new Set();
        const of = measured.filter(x => x.sample).filter(x => {
            const shape = x.sample.fields.map(f => f.name + f.width).join();
            return !seen.has(shape) && seen.add(shape);
        });
        if (!of.length) return;
        const s = section('bits', 'The bits of an id', null, 'One of each shape, from the highest bit to the lowest.');
        const hues = {time: 214, datacenter: 150, worker: 40, sequence: 340, number: 24, random: 292};
        const fill = name => hues[name] === undefined ? token('line') : `hsl(${hues[name]}, 60%, ${isDark() ? 62 : 46}%)`;
        of.forEach(x => {
            const f = element('div', s, null, 'bits');
            const same = measured.filter(o => o.sample && o.sample.fields.map(p => p.name + p.width).join() === x.sample.fields.map(p => p.name + p.width).join());
            element('h3', f, same.map(o => o.name).join(', '));
            element('div', f, `${x.sample.id} = 0x${x.sample.hex}`, 'id');
            const ns = 'http://www.w3.org/2000/svg';
            const svg = document.createElementNS(ns, 'svg');
            svg.setAttribute('viewBox', '0 0 640 22');
            svg.setAttribute('role', 'img');
            svg.setAttribute('aria-label', x.sample.fields.map(p => `${p.name}, ${p.width} bits: ${p.value || 'random'}`).join('; '));
            let bit = 0;
            const list = document.createElement('ul');
            x.sample.fields.forEach(p => {
                const name = p.name;
                for (let i = 0; i < p.width; i++, bit++) {
                    const set = parseInt(x.sample.hex[bit >> 2], 16) >> (3 - (bit & 3)) & 1;
                    const r = document.createElementNS(ns, 'rect');
                    const w = 640 / x.sample.bits;
                    r.setAttribute('x', String(bit * w + 0.4));
                    r.setAttribute('y', '1');
                    r.setAttribute('width', String(w - 0.8));
                    r.setAttribute('height', '20');
                    r.setAttribute('rx', '1');
                    redraws.push(() => {
                        r.setAttribute('fill', fill(name));
                        r.setAttribute('fill-opacity', set ? '1' : '.38');
                    });
                    const title = document.createElementNS(ns, 'title');
                    title.textContent = `bit ${x.sample.bits - 1 - bit}: ${set}, ${name}`;
                    r.appendChild(title);
                    svg.appendChild(r);
                }
                const item = element('li', list);
                const swatch = element('i', item);
                redraws.push(() => { swatch.style.background = fill(name); });
                item.appendChild(document.createTextNode(`${name}, ${p.width} ${p.width === 1 ? 'bit' : 'bits'} `));
                element('span', item, p.value);
            });
            f.appendChild(svg);
            f.appendChild(list);
        });
        table(s, ['strategy', 'sample', 'meaning'], rowsOf(x => x.sample, x => [x.sample.id, {text: x.sample.text, className: 'text'}]));
    }

    function method() {
        const s = section('method', 'How it was measured');
        const list = element('dl', s);
        const line = (name, value) => {
            element('dt', list, name);
            element('dd', list, value);
        };
        line('Database', `${e.database}, by ${e.driver}, at ${e.url}; pool of ${e.poolSize}; tables ${e.tablePrefix}…, dropped afterwards`);
        line('Computer', `${e.cpu}, ${e.processors} processors, ${e.system}; ${e.java}, heap up to ${grouped.format(e.heapMegabytes)} MiB`);
        line('Other load', data.load.text);
        line('Run', `${data.started}, ${Math.round(data.seconds)} s in all`);
        line('Rounds', `all strategies warm up first; then ${c.rounds} rounds measure each of them once, in a new order that depends on seed ${c.seed}. Intervals have a confidence of 95 %. A verdict on speeds needs a ratio, round by round, whose interval is above 1.1`);
        line('Full speed', `${c.threads} threads on ${c.instances} instances, ${c.fullSpeedMillis} ms a round; the first ids of each round are kept to look for duplicates`);
        line('Fixed rate', `${grouped.format(c.pacedPerSecond)} ids/s or half of full speed, a new source, ${c.pacedMillis} ms. HdrHistogram adds the calls that a slow call prevented`);
        line('Round trips', 'statements, commits and rollbacks, counted by datasource-proxy below the pool');
        line('Order', 'by the time at which calls returned; 128-bit keys are compared as the bytes they are');
        line('Outage', `a TCP proxy closes all connections, and each new one, for ${time(c.outageMillis * 1e3)}; an embedded H2 is reached by its own server; idgen.acquire-timeout=${c.outagePatienceMillis}ms`);
        line('Kill', `SIGKILL to a process that has generated ${c.idsPerLife} ids with each strategy, then the same again`);
        line('Inserts', `a warm-up into tables of its own, then ${c.rounds} rounds into one pair of tables for each strategy; sizes: ${c.bytesAre}`);
        line('UUIDs and identity', '128-bit keys are no long, so they are no IdSource of idgen; the same loops measure them. An identity key costs an insert, and is measured as one');
        const settings = Object.entries(c.settings).map(([k, v]) => `${k}=${v}`).join(', ');
        line('Settings', settings || 'the defaults');
    }

    function redraw() {
        redraws.forEach(r => r());
    }

    /** Draws everything again after the reader has changed a choice. */
    function draw() {
        const open = [...document.querySelectorAll('section details[open]')].map(d => d.closest('section').id);
        charts.forEach(chart => chart.dispose());
        charts = [];
        redraws = [];
        const height = report.offsetHeight;
        report.style.minHeight = height + 'px'; // otherwise, the page would scroll while it is empty
        report.replaceChildren();
        [top, tiles, verdict, baseline, toolbar, numbers, throughput, scaling, latency, stalls, trips, order, outage, restart,
            inserts, bits, method].forEach(part => part());
        open.forEach(id => document.querySelectorAll(`#${CSS.escape(id)} details`).forEach(d => { d.open = true; }));
        redraw();
        report.style.minHeight = '';
    }

    /** Switches the print layout on or off. It has its own width and light colours. */
    function print(on) {
        if (on === printing) return;
        printing = on;
        document.documentElement.classList.toggle('print', on);
        redraw();
        charts.forEach(chart => chart.resize());
    }

    draw();
    darkness.addEventListener('change', redraw);
    const paper = window.matchMedia('print');
    paper.addEventListener('change', () => print(paper.matches));
    window.addEventListener('beforeprint', () => print(true));
    window.addEventListener('afterprint', () => print(false));
    let wasNarrow = narrow();
    window.addEventListener('resize', () => {
        if (narrow() !== wasNarrow) {
            wasNarrow = narrow();
            redraw();
        }
    });
    document.documentElement.dataset.drawn = 'true';
})();
