'use strict';
// Draws the report from the JSON in the page. Inserts data into the page only as text, never as HTML.
(function () {
    const data = JSON.parse(document.getElementById('data').textContent);
    const kinds = data.kinds;
    const report = document.getElementById('report');
    const darkness = window.matchMedia('(prefers-color-scheme: dark)');
    const FONT = getComputedStyle(document.body).fontFamily; // by name, otherwise the widths of texts are wrong
    const redraws = [];

    // Each family has a hue and each member a shade, so that similar kinds have similar colours.
    const HUES = {TIME: [214, 72], COUNTER: [24, 78], ROW: [220, 8], REDIS: [0, 65], UUID: [292, 48], OWN: [150, 60]};
    const family = x => kinds.filter(k => k.family === x.family);

    function colour(x) {
        const [hue, saturation] = HUES[x.family];
        const share = family(x).length === 1 ? 0.4 : family(x).indexOf(x) / (family(x).length - 1);
        return `hsl(${hue}, ${saturation}%, ${darkness.matches ? 80 - 30 * share : 30 + 34 * share}%)`;
    }

    const token = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    const narrow = () => window.innerWidth < 640;

    // ---- numbers for people

    const whole = n => new Intl.NumberFormat('en-US', {maximumFractionDigits: 0}).format(n);

    /** Formats a number with three digits and a unit of thousands. */
    function short(n) {
        const [unit, suffix] = n >= 1e9 ? [1e9, ' G'] : n >= 1e6 ? [1e6, ' M'] : n >= 1e3 ? [1e3, ' k'] : [1, ''];
        return +(n / unit).toPrecision(3) + suffix;
    }

    function time(micros) {
        const [unit, suffix] = micros >= 1e6 ? [1e6, ' s'] : micros >= 1e3 ? [1e3, ' ms'] : [1, ' µs'];
        return +(micros / unit).toPrecision(3) + suffix;
    }

    const bytes = n => n < 1048576 ? (n / 1024).toPrecision(3) + ' KiB' : (n / 1048576).toPrecision(3) + ' MiB';
    const share = x => 100 * Math.min(1, x.outage.given / Math.max(1, x.outage.wanted));
    const outageText = x => x.outage.survived ? '✓ all' : Math.round(share(x)) + ' %';
    const lostText = x => x.crash.lost !== null ? whole(x.crash.lost) : x.family === 'REDIS' ? '–' : 'none';

    // ---- the page

    function element(tag, parent, text, className) {
        const e = document.createElement(tag);
        if (text !== undefined && text !== null) e.textContent = text;
        if (className) e.className = className;
        if (parent) parent.appendChild(e);
        return e;
    }

    /** Adds a section with the kinds that have a value; null if none has. The finding is for all readers. */
    function section(id, title, of, value, text, lead) {
        const some = kinds.filter(x => of(x) !== null && of(x) !== undefined);
        if (!some.length) return null;
        const sorted = some.slice().sort((a, b) => value(a) - value(b));
        const named = x => `${x.name}, ${text(x)}`;
        const s = element('section', report);
        s.id = id;
        element('h2', s, title);
        const finding = `Highest: ${named(sorted[sorted.length - 1])}. Lowest: ${named(sorted[0])}.`;
        element('p', s, finding, 'finding');
        element('p', s, lead, 'lead');
        return {s, some, finding};
    }

    function plot(parent, height, finding, option) {
        const div = element('div', parent, null, 'plot');
        div.style.height = height + 'px';
        div.setAttribute('role', 'img');
        div.setAttribute('aria-label', finding);
        const chart = echarts.init(div, null, {renderer: 'svg'});
        redraws.push(() => chart.setOption(Object.assign({
            animation: false,
            textStyle: {fontFamily: FONT, color: token('text')}
        }, option()), true));
        new ResizeObserver(() => chart.resize()).observe(div);
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

    const tip = extra => Object.assign({
        backgroundColor: token('card'), borderColor: token('line'), textStyle: {color: token('text')}, confine: true, renderMode: 'richText'
    }, extra);

    /** Draws a horizontal bar per kind, with its value and, for a speed, its interval. */
    function bars(parent, some, value, text, options) {
        const rows = some.slice().reverse();
        const speed = options.speed || (() => null);
        plot(parent, 30 * rows.length + 54, options.finding, () => ({
            grid: {left: narrow() ? 122 : 150, right: narrow() ? 66 : 86, top: 6, bottom: 46},
            tooltip: tip({formatter: p => {
                const x = rows[p.dataIndex];
                return speed(x) ? `${x.name}\n${short(speed(x).low)} to ${short(speed(x).high)}` : `${x.name}\n${text(x)}`;
            }}),
            xAxis: axis({
                type: options.log ? 'log' : 'value', name: options.name, nameGap: 28, max: options.max,
                min: options.log ? Math.pow(10, Math.floor(Math.log10(Math.min(...rows.map(x => speed(x).low))))) : 0,
                axisLabel: {color: token('muted'), hideOverlap: true, formatter: options.axis || short}
            }),
            yAxis: axis({
                type: 'category', data: rows.map(x => x.name), splitLine: {show: false},
                axisLabel: {color: token('text'), fontSize: narrow() ? 11 : 13}
            }),
            series: [{
                type: 'bar',
                barWidth: 15,
                data: rows.map(x => ({value: value(x), itemStyle: {color: colour(x), borderRadius: [0, 3, 3, 0]}})),
                markLine: {
                    silent: true, symbol: ['none', 'none'], label: {show: false}, lineStyle: {type: 'solid', color: token('text'), width: 1.5},
                    data: rows.filter(speed).map(x => [{coord: [speed(x).low, x.name]}, {coord: [speed(x).high, x.name]}])
                }
            }, {
                // the texts are to the right of the bar, or of its interval
                type: 'scatter', symbolSize: 1, silent: true, itemStyle: {color: 'transparent'},
                data: rows.map(x => [speed(x) ? Math.max(value(x), speed(x).high) : value(x), x.name]),
                label: {show: true, position: 'right', distance: 8, color: token('text'), formatter: p => text(rows[p.dataIndex])}
            }]
        }));
    }

    function top() {
        document.getElementById('where').textContent = `${data.conditions.database} · network: ${data.conditions.network} · ${data.started}`;
        const notes = element('div', report, null, 'notes');
        if (data.conditions.computer.includes('TOO BUSY')) element('p', notes, `Do not use these speeds: ${data.conditions.computer}.`, 'warning');
        kinds.filter(x => x.duplicates.count > 0).forEach(x =>
            element('p', notes, `${x.name} generated ${whole(x.duplicates.count)} duplicates: do not use it.`, 'warning'));
        kinds.filter(x => x.problem !== null).forEach(x => element('p', notes, `${x.name} failed: ${x.problem}`, 'warning'));
    }

    function answers() {
        const s = element('section', report);
        s.id = 'answers';
        element('h2', s, 'Which kind for whom');
        const grid = element('div', s, null, 'advice');
        data.answers.forEach(a => {
            const card = element('article', grid);
            element('p', card, a.need, 'need');
            element('p', card, a.kind, 'take');
            element('p', card, a.why, 'note');
            if (a.settings.length) element('pre', card, a.settings.join('\n'));
            const x = kinds.find(k => k.name === a.kind);
            if (x && x.speed && x.latency && x.outage) {
                element('p', card, `Measured: ${short(x.speed.median)} ids/s, ${short(x.latency.roundTripsPerThousand)} round trips for 1,000 ids, `
                    + `${outageText(x)} ids in an outage`, 'note');
            }
        });
    }

    // ---- the table

    const COLUMNS = [
        {title: 'ids/s', of: x => x.speed, value: x => x.speed.median, text: x => short(x.speed.median)},
        {title: 'median call', of: x => x.latency, value: x => x.latency.p50, text: x => time(x.latency.p50)},
        {title: '99 % of calls', of: x => x.latency, value: x => x.latency.p99, text: x => time(x.latency.p99)},
        {title: '99.9 %', of: x => x.latency, value: x => x.latency.p999, text: x => time(x.latency.p999)},
        {title: 'slowest', of: x => x.latency, value: x => x.latency.max, text: x => time(x.latency.max)},
        {title: 'SQL for 1,000 ids', of: x => x.latency, value: x => x.latency.roundTripsPerThousand, text: x => short(x.latency.roundTripsPerThousand)},
        {title: 'rows/s, JDBC', of: x => x.rows, value: x => x.rows.jdbc.median, text: x => short(x.rows.jdbc.median)},
        {title: 'rows/s, Hibernate', of: x => x.rows && x.rows.hibernate, value: x => x.rows.hibernate.median, text: x => short(x.rows.hibernate.median)},
        {title: 'ids in outage', of: x => x.outage, value: x => x.outage.survived ? 101 : share(x), text: outageText},
        {title: 'lost by crash', of: x => x.crash, value: x => x.crash.lost || 0, text: lostText},
        {title: 'key', of: x => x.keyBytes, value: x => x.keyBytes, text: x => x.keyBytes + ' B'},
        {title: 'index', of: x => x.rows, value: x => x.rows.indexBytes, text: x => bytes(x.rows.indexBytes)},
        {title: 'duplicates', of: x => x.duplicates, value: x => x.duplicates.count, text: x => whole(x.duplicates.count)},
        {title: 'example', of: x => x.example, value: () => 0, text: x => x.example},
        {title: 'what it is', of: x => x.what, value: () => 0, text: x => x.what}
    ];

    function numbers() {
        const s = element('section', report);
        s.id = 'numbers';
        element('h2', s, 'All kinds');
        element('p', s, 'Select a column to sort. A dash was not measured.', 'lead');
        const t = element('table', element('div', s, null, 'scroll'));
        const head = element('tr', element('thead', t));
        element('th', head, 'kind').scope = 'col';
        const body = element('tbody', t);
        const rows = kinds.map(x => {
            const row = element('tr', body);
            const name = element('th', row);
            name.scope = 'row';
            const dot = element('span', name, null, 'dot');
            redraws.push(() => { dot.style.background = colour(x); });
            name.appendChild(document.createTextNode(x.name));
            COLUMNS.forEach(c => element('td', row, has(c, x) ? c.text(x) : '–', c.title.startsWith('dup') && c.value(x) > 0 ? 'bad' : ''));
            return {x, row};
        });
        COLUMNS.forEach(c => {
            const th = element('th', head);
            th.scope = 'col';
            element('button', th, c.title).addEventListener('click', () => {
                const up = th.getAttribute('aria-sort') !== 'ascending';
                head.querySelectorAll('[aria-sort]').forEach(other => other.removeAttribute('aria-sort'));
                th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
                const key = r => has(c, r.x) ? (up ? 1 : -1) * c.value(r.x) : Infinity; // dashes are last
                rows.slice().sort((a, b) => key(a) === key(b) ? 0 : key(a) - key(b)).forEach(r => body.appendChild(r.row));
            });
        });
    }

    function has(column, x) {
        return column.of(x) !== null && column.of(x) !== undefined;
    }

    // ---- the charts

    function speeds() {
        const all = section('throughput', 'Ids per second at full speed', x => x.speed, x => x.speed.median, x => short(x.speed.median) + ' ids/s',
            `${data.conditions.speed}. The black line is the interval. The axis is logarithmic.`);
        if (all) bars(all.s, all.some, x => x.speed.median, x => short(x.speed.median), {speed: x => x.speed, log: true, name: 'ids per second', finding: all.finding});
        const latency = section('latency', 'Duration of a call at a fixed rate', x => x.latency, x => x.latency.p99, x => time(x.latency.p99) + ' for 99 % of calls',
            `${data.conditions.latency}. 99 % of the calls take at most so long.`);
        if (latency) bars(latency.s, latency.some, x => x.latency.p99, x => time(x.latency.p99), {name: 'duration of a call', axis: time, finding: latency.finding});
        const trips = section('trips', 'SQL round trips for 1,000 ids', x => x.latency, x => x.latency.roundTripsPerThousand, x => short(x.latency.roundTripsPerThousand),
            'Statements, commits and rollbacks during the run at a fixed rate, after the first id of each instance.');
        if (trips) bars(trips.s, trips.some, x => x.latency.roundTripsPerThousand, x => short(x.latency.roundTripsPerThousand), {name: 'round trips', axis: whole, finding: trips.finding});
    }

    function inserts() {
        const all = section('inserts', 'Parents with children', x => x.rows, x => x.rows.jdbc.median, x => short(x.rows.jdbc.median) + ' rows/s with JDBC',
            `${data.conditions.rows}. With identity, parents are inserted one by one, because their children need the key; Hibernate inserts children one by one as well.`);
        if (!all) return;
        const pair = element('div', all.s, null, 'pair');
        bars(element('div', pair), all.some, x => x.rows.jdbc.median, x => short(x.rows.jdbc.median),
            {speed: x => x.rows.jdbc, name: 'rows per second, plain JDBC', finding: all.finding});
        const hibernate = all.some.filter(x => x.rows.hibernate);
        if (hibernate.length) {
            bars(element('div', pair), hibernate, x => x.rows.hibernate.median, x => short(x.rows.hibernate.median),
                {speed: x => x.rows.hibernate, name: 'rows per second, Hibernate', finding: 'Rows per second through Hibernate'});
        }
        const size = section('size', 'Size of the indexes', x => x.rows, x => x.rows.indexBytes, x => bytes(x.rows.indexBytes),
            `Of ${whole(all.some[0].rows.rows)} rows. Keys of 128 bits take 16 bytes, all others 8.`);
        bars(size.s, size.some, x => x.rows.indexBytes, x => bytes(x.rows.indexBytes), {name: 'size', axis: bytes, finding: size.finding});
    }

    function failures() {
        const outage = section('outage', 'An outage of the database or of Redis', x => x.outage, share, outageText, `${data.conditions.outage}.`);
        if (outage) bars(outage.s, outage.some, share, outageText, {name: 'ids, of those asked for', axis: v => v + ' %', max: 100, finding: outage.finding});
        const crash = section('crash', 'Ids lost by a crash', x => x.crash ? x.crash.lost : null, x => x.crash.lost, lostText,
            `Here ${data.conditions.crash}. Ids in between are lost: a gap, not a duplicate. Ids that follow time lose none.`);
        if (crash) bars(crash.s, crash.some, x => x.crash.lost, lostText, {name: 'ids lost', axis: whole, finding: crash.finding});
    }

    function method() {
        const s = element('section', report);
        s.id = 'method';
        element('h2', s, 'How it was measured');
        const list = element('dl', s);
        Object.entries(data.conditions).concat(data.notes.map(n => ['not compared', n])).forEach(([name, value]) => {
            element('dt', list, name);
            element('dd', list, value);
        });
    }

    [top, answers, numbers, speeds, inserts, failures, method].forEach(part => part());
    const redraw = () => redraws.forEach(r => r());
    redraw();
    darkness.addEventListener('change', redraw);
    let wasNarrow = narrow();
    window.addEventListener('resize', () => {
        if (narrow() !== wasNarrow) {
            wasNarrow = narrow();
            redraw();
        }
    });
    document.documentElement.dataset.drawn = 'true';
})();
