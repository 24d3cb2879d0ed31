import {
  addFigures,
  durationOf,
  type Figures,
  NO_FIGURES,
  percentChanges,
  percentsOf,
  serviceTime,
  waitTime,
} from '@balcao/contract/reports.rules.ts'
import type { ReportData, ReportPart, ReportQueue, ReportUser } from '@balcao/contract/reports.ts'
import { allEnded, together } from '../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { queues } from '../queues/queues.table.ts'
import { tags } from '../tags/tags.table.ts'
import { users } from '../users/users.table.ts'
import { type Asked, type ReportRange, rangeOf } from './reports.range.queries.ts'
import { byPart, bySide, byTag, currentTickets, lastClosed, ofBefore } from './reports.sums.queries.ts'

type Current = Awaited<ReturnType<typeof currentTickets>>
type Names = Map<number, string>

/**
 * What a range says about the whole company, or of the queues and users that are chosen.
 * Refuses what `rangeOf` refuses.
 */
export async function report(
  scope: Scope,
  asked: Asked,
  fields: { queueIds: string; userIds: string },
): Promise<ReportData> {
  const range = await scope.read(tx => rangeOf(tx, asked, fields))
  const [[sides, before, ofTags, parts], [tickets, now], names] = await read(scope, range)
  const figures = sides.days.reduce<Figures>(addFigures, NO_FIGURES)
  const [countPending, countOpenGeneral] = [tally(now, 'pending'), tally(now, 'open')]
  return {
    totalTickets: countPending + countOpenGeneral + figures.closed,
    tmaTotalMoment: durationOf(figures.serveSeconds),
    tmaTotalMedioMoment: durationOf(serviceTime(figures)),
    tmeTotalMoment: durationOf(figures.waitSeconds),
    tmeTotalMedioMoment: durationOf(waitTime(figures)),
    countPending,
    countOpenGeneral,
    countClosed: figures.closed,
    dataUsers: usersOf(sides.users, new Map(parts.map(part => [part.userId, part])), now, names.users),
    dataQueuesWitchPercent: queuesOf(sides.queues, now, names.queues),
    tickets,
    range: { from: range.from, until: range.until },
    ...(scope.asOf && { asOf: scope.asOf.toISOString() }),
    figures,
    before,
    changes: percentChanges(before, figures),
    days: sides.days,
    dataConnections: partsOf(sides.connections, names.whatsapps),
    dataTags: partsOf(new Map(ofTags.map(({ tagId, ...sums }) => [tagId, sums])), names.tags),
  }
}

const read = (scope: Scope, range: ReportRange) =>
  allEnded([
    // one after the other: who reads a year leaves the database to others
    scope.read(tx =>
      together(
        tx.sql,
        () => bySide(tx, range),
        () => ofBefore(tx, range),
        () => byTag(tx, range),
        () => byPart(tx, range),
      ),
    ),
    scope.read(tx =>
      together(
        tx.sql,
        () => lastClosed(tx, range),
        () => currentTickets(tx, range),
      ),
    ),
    scope.read(namesOf),
  ])

function usersOf(
  closed: Map<number, Figures>,
  parts: Map<number, Figures>,
  now: Current,
  names: Names,
): ReportUser[] {
  const open = now.filter(({ status }) => status === 'open')
  const ids = new Set([...closed.keys(), ...parts.keys(), ...open.map(({ userId }) => userId)])
  const rows = [...ids].map(id => {
    const figures = closed.get(id) ?? NO_FIGURES
    const part = parts.get(id) ?? NO_FIGURES
    const countOpen = tally(
      open.filter(({ userId }) => userId === id),
      'open',
    )
    return {
      id,
      name: names.get(id) ?? '',
      qtdAtendimentos: countOpen + figures.closed,
      tmaTotalUser: durationOf(part.serveSeconds),
      tma: durationOf(serviceTime(part)),
      tmeTotalUser: durationOf(part.waitSeconds),
      tme: durationOf(waitTime(part)),
      countOpen,
      countClosed: figures.closed,
      figures,
      own: {
        ...{ served: part.served, serveSeconds: part.serveSeconds },
        ...{ waited: part.waited, waitSeconds: part.waitSeconds },
      },
    }
  })
  const shown = ranked(rows, row => row.own.served > 0)
  const shares = percentsOf(shown.map(row => row.qtdAtendimentos))
  return shown.map((row, place) => ({ ...row, porcentagemAtendimentos: shares[place]! }))
}

function queuesOf(closed: Map<number, Figures>, now: Current, names: Names): ReportQueue[] {
  const ids = new Set([...closed.keys(), ...now.map(({ queueId }) => queueId)])
  const rows = [...ids].map(id => {
    const figures = closed.get(id) ?? NO_FIGURES
    const here = now.filter(({ queueId }) => queueId === id)
    const [countPending, countOpen] = [tally(here, 'pending'), tally(here, 'open')]
    return {
      id,
      queue: names.get(id) ?? '',
      qtdAtendimentos: countPending + countOpen + figures.closed,
      countPending,
      countOpen,
      countClosed: figures.closed,
      figures,
    }
  })
  const shown = ranked(rows)
  const shares = percentsOf(shown.map(row => row.qtdAtendimentos))
  return shown.map((row, place) => ({ ...row, percent: shares[place]! }))
}

/** The most first, and no row of nothing: a counter of a place that everybody left stays there at 0. */
const ranked = <Row extends { id: number; qtdAtendimentos: number }>(
  rows: Row[],
  stays: (row: Row) => boolean = () => false,
) =>
  rows
    .filter(row => row.qtdAtendimentos > 0 || stays(row))
    .sort((a, b) => b.qtdAtendimentos - a.qtdAtendimentos || a.id - b.id)

const partsOf = (sums: Map<number, Figures>, names: Names): ReportPart[] =>
  [...sums]
    .map(([id, figures]) => ({ id, name: names.get(id) ?? '', figures }))
    .sort((a, b) => b.figures.closed - a.figures.closed || a.id - b.id)

const tally = (now: Current, which: 'pending' | 'open') =>
  now.filter(({ status }) => status === which).reduce((sum, { tickets }) => sum + tickets, 0)

async function namesOf(tx: Tx) {
  const rows = await rowsFrom<{ kind: keyof typeof named; id: number; name: string }>(tx.sql, selectNames(tx))
  const of = (kind: keyof typeof named): Names =>
    new Map(rows.filter(row => row.kind === kind).map(({ id, name }) => [id, name]))
  return { users: of('users'), queues: of('queues'), whatsapps: of('whatsapps'), tags: of('tags') }
}

const named = { users, queues, whatsapps, tags }
const selectNames = (tx: Tx) =>
  tag.join(
    Object.entries(named).map(
      ([kind, table]) =>
        tag`select ${kind}::text as kind, ${table.id} as id, ${table.name} as name from ${table}
          where ${table.companyId} = ${tx.companyId}`,
    ),
    tag` union all `,
  )
