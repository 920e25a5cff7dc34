'use strict';
// Draws the report from the JSON in the page. What comes from the data goes into the page as text alone, never as HTML.
(function () {
    const data = JSON.parse(document.getElementById('data').textContent);
    const measured = data.strategies.filter(s => s.failure === null);
    const report = document.getElementById('report');
    const darkness = window.matchMedia('(prefers-color-scheme: dark)');
    const redraws = [];
    const FONT = getComputedStyle(document.body).fontFamily; // by name, or widths of texts are guessed wrong

    // One hue for each family and one shade for each member, so that colour says what is like what.
    const HUES = {SNOWFLAKE: [214, 72], TABLE: [24, 78], OWN: [150, 60], WITH_ROW: [220, 8], UUID: [292, 48]};
    const DASHES = ['solid', [7, 4], [2, 3], [10, 3, 2, 3], [5, 2]];
    const member = new Map();
    const size = {};
    measured.forEach(s => {
        size[s.family] = size[s.family] || 0;
        member.set(s.name, size[s.family]++);
    });

    function colour(s) {
        const [hue, saturation] = HUES[s.family];
        const share = size[s.family] === 1 ? 0.4 : member.get(s.name) / (size[s.family] - 1);
        const light = darkness.matches ? 80 - 30 * share : 30 + 34 * share;
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

    // a call that waits for the whole outage has not failed in it, and gave no id
    const neverCeased = x => x.outage.servedSeconds >= x.outage.seconds;

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

    // ---- the page

    function element(tag, parent, text, className) {
        const e = document.createElement(tag);
        if (text !== undefined && text !== null) e.textContent = text;
        if (className) e.className = className;
        if (parent) parent.appendChild(e);
        return e;
    }

    function section(id, title, lead) {
        const s = element('section', report);
        s.id = id;
        element('h2', s, title);
        if (lead) element('p', s, lead, 'lead');
        return s;
    }

    function table(parent, columns, rows, summary) {
        let place = parent;
        if (summary) {
            const details = element('details', parent);
            element('summary', details, summary);
            place = details;
        }
        const t = element('table', element('div', place, null, 'scroll'));
        const head = element('tr', element('thead', t));
        columns.forEach(c => { element('th', head, c).scope = 'col'; });
        const body = element('tbody', t);
        rows.forEach(cells => {
            const row = element('tr', body);
            cells.forEach((cell, i) => {
                const c = element(i === 0 ? 'th' : 'td', row);
                if (i === 0) c.scope = 'row';
                if (cell && cell.strategy) {
                    const dot = element('span', c, null, 'dot');
                    redraws.push(() => { dot.style.background = colour(cell.strategy); });
                    c.appendChild(document.createTextNode(cell.strategy.name));
                } else if (cell && cell.text !== undefined) {
                    c.textContent = cell.text;
                    c.className = cell.className;
                } else {
                    c.textContent = cell;
                }
            });
        });
        return t;
    }

    function plot(parent, height, option, label) {
        const div = element('div', parent, null, 'plot');
        div.style.height = height + 'px';
        const chart = echarts.init(div, null, {renderer: 'svg'});
        redraws.push(() => chart.setOption(Object.assign({
            animation: false,
            textStyle: {fontFamily: FONT, color: token('text')},
            aria: {enabled: true, label: {description: label}}
        }, option()), true));
        new ResizeObserver(() => chart.resize()).observe(div);
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
        return window.innerWidth < 640;
    }

    /** Horizontal bars, one for each strategy, with its value beside it and perhaps a whisker. */
    function bars(parent, rows, value, text, options) {
        const shown = rows.slice().reverse();
        plot(parent, 34 * rows.length + (options.name ? 58 : 30), () => ({
            grid: {left: narrow() ? 118 : 150, right: narrow() ? 62 : options.right || 92, top: 6, bottom: options.name ? 46 : 22},
            tooltip: tip({formatter: p => p.name + '\n' + options.tip(shown[p.dataIndex])}),
            xAxis: axis({
                type: options.log ? 'log' : 'value',
                min: options.min,
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
                data: shown.map(s => ({value: value(s), itemStyle: {color: colour(s), borderRadius: [0, 3, 3, 0]}})),
                markLine: options.spread && {
                    silent: true,
                    symbol: ['none', 'none'],
                    label: {show: false},
                    lineStyle: {color: token('text'), width: 1.5, type: 'solid'},
                    data: shown.map(s => {
                        const [least, most] = options.spread(s);
                        return [{coord: [least, s.name]}, {coord: [most, s.name]}];
                    })
                }
            }, {
                // the texts stand behind the bar, or behind its whisker
                type: 'scatter',
                symbolSize: 1,
                silent: true,
                itemStyle: {color: 'transparent'},
                data: shown.map(s => [options.spread ? options.spread(s)[1] : value(s), s.name]),
                label: {show: true, position: 'right', distance: 8, color: token('text'), formatter: p => text(shown[p.dataIndex])}
            }]
        }), options.label);
    }

    function rowsOf(of, cells) {
        return measured.filter(of).map(s => [{strategy: s}].concat(cells(s)));
    }

    function lines(strategies, points) {
        return strategies.map(s => ({
            name: s.name,
            type: 'line',
            showSymbol: false,
            symbolSize: 7,
            data: points(s),
            lineStyle: {color: colour(s), width: 2, type: DASHES[member.get(s.name) % DASHES.length]},
            itemStyle: {color: colour(s)},
            emphasis: {focus: 'series'}
        }));
    }

    function legend() {
        return {
            bottom: 0,
            itemWidth: 26,
            itemHeight: 8,
            textStyle: {color: token('text')}
        };
    }

    // ---- what stands above the charts

    const c = data.conditions;
    const e = data.environment;
    document.getElementById('where').textContent =
        `${e.database} · ${data.started.slice(0, 16).replace('T', ' ')} UTC · ${c.threads} threads, ${c.instances} `
        + (c.instances === 1 ? 'instance' : 'instances');

    (function verdict() {
        const s = section('verdict', 'The verdict', 'From the numbers below and nothing else; on another database or machine it may be another.');
        const doubled = measured.filter(x => x.duplicates.count > 0);
        doubled.forEach(x => element('p', s, `${x.name} gave ${grouped.format(x.duplicates.count)} keys twice.`, 'warning'));
        const grid = element('div', s, null, 'advice');
        data.advice.forEach(a => {
            const card = element('article', grid, null, a.when === 'Never' ? 'never' : '');
            element('p', card, a.when, 'when');
            element('p', card, a.take, 'take');
            element('p', card, a.because, 'because');
        });
    })();

    (function everything() {
        const s = section('numbers', 'All strategies at a glance',
            'Latencies are of calls at a fixed rate; what each column means stands with its chart. A dash is something that was not measured.');
        table(s, ['strategy', 'ids/s', 'p50', 'p99', 'p99.9', 'slowest', 'stalls > 1 ms', 'SQL per 1,000', 'dupli­cates',
            'lost by kill', 'out of order', 'shard skew', 'ids in outage', 'rows/s', 'index'],
        rowsOf(() => true, x => [
            x.speed ? short(x.speed.median) : '–',
            x.latency ? time(x.latency.p50) : '–',
            x.latency ? time(x.latency.p99) : '–',
            x.latency ? time(x.latency.p999) : '–',
            x.latency ? time(x.latency.slowest) : '–',
            x.latency ? grouped.format(x.latency.stalls) : '–',
            figure(x.roundTripsPerThousand),
            x.duplicates.count ? {text: grouped.format(x.duplicates.count), className: 'bad'} : '0',
            x.restart ? (x.restart.lostIds < 0 ? 'none' : grouped.format(x.restart.lostIds)) : '–',
            x.order ? percent(x.order.shareWithin) : '–',
            x.order ? '× ' + x.order.fullestOf8.toFixed(2) : '–',
            x.outage ? (neverCeased(x) ? 'all' : x.outage.servedSeconds < 0.02 ? 'none' : 'for ' + time(x.outage.servedSeconds * 1e6)) : '–',
            x.inserts ? figure(x.inserts.rowsPerSecond) : '–',
            x.inserts ? bytes(x.inserts.indexBytes) : '–'
        ]));
        data.strategies.filter(x => x.failure !== null).forEach(x =>
            element('p', s, `${x.name} was not measured: ${x.failure}`, x.unfit ? 'lead' : 'warning'));
        measured.filter(x => x.trouble !== null && x.trouble !== undefined).forEach(x => element('p', s, `${x.name}: ${x.trouble}`, 'warning'));
    })();

    // ---- the charts

    (function throughput() {
        const of = measured.filter(x => x.speed);
        const s = section('throughput', 'Ids per second at full speed',
            `The median of ${c.fullSpeedRepeats} runs of ${c.fullSpeedMillis} ms by ${c.threads} threads; the line through the end of a bar goes from the slowest run to the fastest. The axis is logarithmic. A snowflake's rate is bounded by its bits: 4,096 ids per millisecond and worker in the usual layout.`);
        bars(s, of, x => x.speed.median, x => short(x.speed.median), {
            log: true, name: 'ids per second', label: 'Ids per second of each strategy',
            min: Math.pow(10, Math.floor(Math.log10(Math.min(...of.map(x => x.speed.least)))) - 0),
            spread: x => [x.speed.least, x.speed.most],
            tip: x => `median ${figure(x.speed.median)}\n${figure(x.speed.least)} to ${figure(x.speed.most)} ids/s`
        });
        table(s, ['strategy', 'median ids/s', 'least', 'most', 'what it is'], rowsOf(x => x.speed, x => [
            figure(x.speed.median), figure(x.speed.least), figure(x.speed.most), {text: x.what, className: 'text'}]), 'Data');
    })();

    (function scaling() {
        const of = measured.filter(x => x.scaling.length > 1);
        const s = section('scaling', 'Scaling over threads',
            `${c.instances} instances asked by more and more threads, ${c.scalingMillis} ms each, on ${e.processors} processors. Both axes are logarithmic: straight up is scaling, flat is a bottleneck.`);
        plot(s, narrow() ? 460 : 440, () => ({
            grid: {left: 72, right: 24, top: 16, bottom: narrow() ? 190 : 112},
            legend: legend(),
            tooltip: tip({trigger: 'item', formatter: p => `${p.seriesName}\n${p.value[0]} threads: ${figure(p.value[1])} ids/s`}),
            xAxis: axis({type: 'category', data: of[0].scaling.map(x => String(x.threads)), name: 'threads', nameGap: 26, boundaryGap: false}),
            yAxis: axis({type: 'log', name: 'ids per second', nameGap: 52, axisLabel: {color: token('muted'), formatter: short}}),
            series: lines(of, x => x.scaling.map(p => [String(p.threads), p.perSecond])).map(l => Object.assign(l, {showSymbol: true}))
        }), 'Ids per second by number of threads');
        table(s, ['strategy'].concat(of[0].scaling.map(x => x.threads + (x.threads === 1 ? ' thread' : ' threads'))),
            rowsOf(x => x.scaling.length > 1, x => x.scaling.map(p => figure(p.perSecond))), 'Data');
    })();

    (function latency() {
        const of = measured.filter(x => x.latency);
        const s = section('latency', 'How long a call takes',
            `Each strategy from a cold start at ${grouped.format(c.pacedPerSecond)} ids/s, or half of what it can do, for ${c.pacedMillis} ms. To the right are the rarer, slower calls; both axes are logarithmic. Calls that a slow one kept from being made are counted (coordinated omission).`);
        plot(s, narrow() ? 480 : 470, () => ({
            grid: {left: 72, right: 30, top: 16, bottom: narrow() ? 190 : 112},
            legend: legend(),
            tooltip: tip({formatter: p => `${p.seriesName}\n${p.data[2]} %: at most ${time(p.data[1])}`}),
            xAxis: axis({type: 'log', min: 1, max: 10000, name: 'share of calls that are at most so long', nameGap: 28,
                axisLabel: {color: token('muted'), formatter: v => ({1: '0 %', 10: '90 %', 100: '99 %', 1000: '99.9 %', 10000: '99.99 %'})[v] || ''}}),
            yAxis: axis({type: 'log', name: 'time of a call', min: 0.1, nameGap: 52, axisLabel: {color: token('muted'), formatter: time}}),
            series: lines(of, x => x.latency.percentiles.filter(p => p.percent < 99.999).map(p => [1 / (1 - p.percent / 100), Math.max(0.1, p.micros), p.percent]))
        }), 'Latency by percentile');
        table(s, ['strategy', 'asked for', 'calls', 'very first call', 'p50', 'p99', 'p99.9', 'slowest', 'stalls > 1 ms'],
            rowsOf(x => x.latency, x => [grouped.format(x.latency.askedPerSecond) + ' /s', grouped.format(x.latency.calls),
                time(x.latency.firstMicros), time(x.latency.p50), time(x.latency.p99), time(x.latency.p999),
                time(x.latency.slowest), grouped.format(x.latency.stalls)]), 'Data');
    })();

    (function stalls() {
        const of = measured.filter(x => x.latency);
        // whole hundreds above the lowest line, so that every second power of ten has its label
        const top = 0.1 * Math.pow(100, Math.ceil(Math.log10(10 * Math.max(1001, ...of.map(x => x.latency.slowest))) / 2));
        const MANY = 40;
        const s = section('stalls', 'When calls stall',
            'The slowest call of each sixtieth of that run. Dashed lines are runs of ids that were fetched, and leases. The dotted line is one millisecond; the axis is logarithmic and the same for all.');
        const grid = element('div', s, null, 'plots');
        of.forEach(x => {
            const marks = x.latency.marks.filter(m => m.atMillis >= 0);
            const f = element('figure', grid);
            const caption = element('figcaption', f);
            element('b', caption, x.name);
            element('span', caption, many(x.latency.stalls, 'stall', 'stalls')
                + (marks.length === 0 ? '' : ', ' + grouped.format(marks.length) + ' fetched'));
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
            }), 'Slowest calls of ' + x.name + ' over time');
        });
        element('p', s, `Where more than ${MANY} were fetched, they are not drawn.`, 'lead');
        table(s, ['strategy', 'stalls > 1 ms', 'slowest call', 'fetched or leased', 'first of them'], rowsOf(x => x.latency, x => {
            const first = x.latency.marks.find(m => m.atMillis >= 0);
            return [grouped.format(x.latency.stalls), time(x.latency.slowest),
                grouped.format(x.latency.marks.filter(m => m.atMillis >= 0).length),
                {text: first ? first.text : '–', className: 'text'}];
        }), 'Data');
    })();

    (function trips() {
        const of = measured.filter(x => x.roundTripsPerThousand !== null);
        const s = section('trips', 'Round trips to the database per 1,000 ids',
            'Statements, commits and rollbacks, counted beneath the connection pool during the run at a fixed rate, everything since its cold start included. Fewer is a database that has time for your queries.');
        bars(s, of, x => x.roundTripsPerThousand, x => figure(x.roundTripsPerThousand), {
            name: 'SQL round trips per 1,000 ids', axis: v => grouped.format(v), label: 'SQL round trips per 1,000 ids',
            tip: x => figure(x.roundTripsPerThousand) + ' round trips'
        });
        table(s, ['strategy', 'SQL round trips per 1,000 ids', 'ids asked for'], rowsOf(x => x.roundTripsPerThousand !== null, x => [
            figure(x.roundTripsPerThousand), x.latency ? grouped.format(x.latency.calls) : '–']), 'Data');
    })();

    (function order() {
        const of = measured.filter(x => x.order);
        const s = section('order', 'In what order ids come',
            `The first ${of.length ? of[0].order.ranks.length : 0} ids in the order in which they were given out (to the right) and their rank by size (upwards). A line is perfect order; ids in the colour of warning are below one that was given out before, by any instance. Several instances each have their own millisecond or segment; what counts for one process is the share within an instance.`);
        const grid = element('div', s, null, 'plots small');
        of.forEach(x => {
            const f = element('figure', grid);
            const caption = element('figcaption', f);
            element('b', caption, x.name);
            element('span', caption, `out of order: ${percent(x.order.shareWithin)} within, ${percent(x.order.share)} among instances`);
            plot(f, 170, () => {
                const points = x.order.ranks.map((r, i) => [i, r < 0 ? -1 - r : r, r < 0]);
                const side = {min: 0, max: points.length, axisLabel: {show: false}, splitLine: {show: false}};
                return {
                    grid: {left: 10, right: 8, top: 8, bottom: 10},
                    tooltip: tip({formatter: p => `given out as number ${p.value[0] + 1}\nrank by size ${p.value[1] + 1}`}),
                    xAxis: axis(Object.assign({type: 'value'}, side)),
                    yAxis: axis(Object.assign({type: 'value'}, side)),
                    series: [
                        {type: 'scatter', symbolSize: 3.5, data: points.filter(p => !p[2]), itemStyle: {color: colour(x)}},
                        {type: 'scatter', symbolSize: 3.5, data: points.filter(p => p[2]), itemStyle: {color: token('bad')}}
                    ]
                };
            }, 'Order of the ids of ' + x.name);
        });
        table(s, ['strategy', 'ids', 'inversions among all', 'within an instance', 'shard skew (id % 8)'],
            rowsOf(x => x.order, x => [grouped.format(x.order.keys), grouped.format(x.order.inversions) + ' (' + percent(x.order.share) + ')',
                percent(x.order.shareWithin), '× ' + x.order.fullestOf8.toFixed(2)]), 'Data');
    })();

    (function outage() {
        const of = measured.filter(x => x.outage);
        if (!of.length) {
            element('p', section('outage', 'While the database is away'), 'Not tried: the URL does not name one host that could be taken away.', 'lead');
            return;
        }
        const s = section('outage', 'While the database is away',
            `All strategies at once were asked for ${c.outagePerSecond} ids/s each while a proxy before the database cut it off for ${time(of[0].outage.seconds * 1e6)}. A call may wait for ${c.outagePatienceMillis} ms here, so that failures show.`);
        const share = x => neverCeased(x) ? 100 : Math.min(100, 100 * x.outage.given / x.outage.wanted);
        bars(s, of, share, x => figure(share(x)) + ' %', {
            name: 'ids given, of those asked for', axis: v => v + ' %', label: 'Share of ids that were given during the outage',
            tip: x => `${grouped.format(x.outage.given)} ids, ${grouped.format(x.outage.failed)} failed calls`
        });
        table(s, ['strategy', 'ids given', 'asked for', 'failed calls', 'ids lasted for', 'next id after the end', 'error'], rowsOf(x => x.outage, x => [
            grouped.format(x.outage.given), grouped.format(x.outage.wanted), grouped.format(x.outage.failed),
            neverCeased(x) ? 'all of it' : time(x.outage.servedSeconds * 1e6),
            x.outage.recoveredMillis < 0 ? 'none within 10 s' : neverCeased(x) ? '–' : time(x.outage.recoveredMillis * 1e3),
            {text: x.outage.error || '–', className: 'text'}]), 'Data');
    })();

    (function restart() {
        const of = measured.filter(x => x.restart);
        if (!of.length) return;
        const counted = of.filter(x => x.restart.lostIds >= 0);
        const s = section('gaps', 'What a kill costs',
            `A process that had drawn ${c.idsPerLife} ids from each strategy was killed, and another one drew again. Ids between its last and the next one's first are lost for ever: a gap, no duplicate. Snowflakes lose none; theirs follow time.`);
        if (counted.length) {
            bars(s, counted, x => x.restart.lostIds, x => grouped.format(x.restart.lostIds), {
                name: 'ids lost', axis: v => grouped.format(v), label: 'Ids lost by a kill',
                tip: x => `${grouped.format(x.restart.lostIds)} ids between ${x.restart.lastBefore} and ${x.restart.firstAfter}`
            });
        }
        table(s, ['strategy', 'last id before', 'first id after', 'ids lost', 'time between', 'first id took'], rowsOf(x => x.restart, x => [
            x.restart.lastBefore, x.restart.firstAfter, x.restart.lostIds < 0 ? 'none' : grouped.format(x.restart.lostIds),
            x.restart.jumpMillis ? time(x.restart.jumpMillis * 1e3) : '–', time(x.restart.firstMillis * 1e3)]), 'Data');
    })();

    (function inserts() {
        const of = measured.filter(x => x.inserts);
        if (!of.length) return;
        const s = section('inserts', 'Parents with children, and what their indexes take',
            `The median of ${c.insertRepeats} times ${grouped.format(c.rows)} rows, each parent with ${c.childrenPerParent} children, ${c.parentsPerTransaction} parents to a transaction, in JDBC batches by one connection. Where the column makes the key, parents go in one by one, since their children need it. Sizes: ${c.bytesAre}.`);
        const pair = element('div', s, null, 'pair');
        bars(element('div', pair), of, x => x.inserts.rowsPerSecond, x => short(x.inserts.rowsPerSecond), {
            name: 'rows per second', right: 64, label: 'Rows inserted per second',
            spread: x => [x.inserts.least, x.inserts.most],
            tip: x => `median ${figure(x.inserts.rowsPerSecond)}\n${figure(x.inserts.least)} to ${figure(x.inserts.most)} rows/s`
        });
        const mebi = Math.max(...of.map(x => x.inserts.indexBytes)) >= 4 * 1048576;
        const unit = mebi ? 1048576 : 1024;
        bars(element('div', pair), of, x => x.inserts.indexBytes / unit, x => bytes(x.inserts.indexBytes), {
            name: mebi ? 'size, MiB' : 'size, KiB', axis: v => grouped.format(v), right: 84, label: 'Size of indexes',
            tip: x => bytes(x.inserts.indexBytes)
        });
        table(s, ['strategy', 'rows', 'rows/s', 'least', 'most', 'index size', 'tables and indexes'], rowsOf(x => x.inserts, x => [
            grouped.format(x.inserts.rows), figure(x.inserts.rowsPerSecond), figure(x.inserts.least), figure(x.inserts.most),
            bytes(x.inserts.indexBytes), bytes(x.inserts.bytes)]), 'Data');
    })();

    (function bits() {
        const seen = new Set();
        const of = measured.filter(x => x.sample).filter(x => {
            const shape = x.sample.fields.map(f => f.name + f.width).join();
            return !seen.has(shape) && seen.add(shape);
        });
        if (!of.length) return;
        const s = section('bits', 'What is in an id', 'One of each shape, from the highest bit to the lowest.');
        const hues = {time: 214, datacenter: 150, worker: 40, sequence: 340, number: 24, random: 292};
        const fill = name => hues[name] === undefined ? token('line') : `hsl(${hues[name]}, 60%, ${darkness.matches ? 62 : 46}%)`;
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
        table(s, ['strategy', 'sample', 'what it says'], rowsOf(x => x.sample, x => [x.sample.id, {text: x.sample.text, className: 'text'}]), 'Data');
    })();

    (function method() {
        const s = section('method', 'How it was measured', 'No number without its conditions.');
        const list = element('dl', s);
        const line = (name, value) => {
            element('dt', list, name);
            element('dd', list, value);
        };
        line('Database', `${e.database}, by ${e.driver}, at ${e.url}; pool of ${e.poolSize}; tables ${e.tablePrefix}…, dropped afterwards`);
        line('Computer', `${e.cpu}, ${e.processors} processors, ${e.system}; ${e.java}, heap up to ${grouped.format(e.heapMegabytes)} MiB`);
        line('Run', `${data.started}, ${Math.round(data.seconds)} s in all, strategies one after the other in an order shuffled by seed ${c.seed}`);
        line('Full speed', `${c.threads} threads on ${c.instances} instances, ${c.warmUpMillis} ms to warm up, ${c.fullSpeedRepeats} runs of ${c.fullSpeedMillis} ms, or until some million ids are kept to look for duplicates`);
        line('Fixed rate', `${grouped.format(c.pacedPerSecond)} ids/s or half of full speed, a new source, ${c.pacedMillis} ms. A call's time is from asking to having; calls that were due while one took longer are put in by HdrHistogram with the time they would have waited`);
        line('Round trips', 'statements, commits and rollbacks, counted by datasource-proxy beneath the pool');
        line('Order', 'by the time at which calls returned; 128-bit keys are compared as the bytes they are');
        line('Database away', `a TCP proxy closes all connections and each new one for ${time(c.outageMillis * 1e3)}; an embedded H2 is reached by its own server for it; idgen.acquire-timeout=${c.outagePatienceMillis}ms`);
        line('Kill', `SIGKILL to a process that has drawn ${c.idsPerLife} ids from each strategy within some tenths of a second, then the same again`);
        line('Inserts', `a quarter of the rows to warm up, then ${c.insertRepeats} times ${grouped.format(c.rows)} into new tables; sizes: ${c.bytesAre}`);
        line('UUIDs and identity', '128-bit keys are no long and so no IdSource of idgen: they are measured by the same loops. An identity key costs an insert, and is measured as one');
        const settings = Object.entries(c.settings).map(([k, v]) => `${k}=${v}`).join(', ');
        line('Settings', settings || 'the defaults');
    })();

    function redraw() {
        redraws.forEach(r => r());
    }
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
