import {
  addFigures,
  durationOf,
  type Figures,
  NO_FIGURES,
  percentsOf,
} from '@balcao/contract/reports.rules.ts'
import { type ReportData, reports } from '@balcao/contract/reports.ts'
import { expect } from 'vitest'
import { changesFromRows, figuresFromRows, type Service } from './recount.ts'
import type { Person, TestApp } from './test-app.ts'

const byDayIn = (zone: string, services: Service[]) => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  return Map.groupBy(services, one => day.format(one.at))
}
const partsOf = (services: Service[], by: 'userId' | 'queueId' | 'whatsappId') =>
  Object.fromEntries(
    [...new Set(services.map(one => one[by]))].map(id => [
      id,
      figuresFromRows(services.filter(one => one[by] === id)),
    ]),
  )
const closedIn = (rows: { id: number; figures: Figures }[]) =>
  Object.fromEntries(rows.filter(({ figures }) => figures.closed > 0).map(one => [one.id, one.figures]))

interface Chosen {
  userIds?: number[]
  queueIds?: number[]
}

type Own = [served: number, seconds: number, tma: string, waited: number, seconds: number, tme: string]
const ownIn = ({ dataUsers }: ReportData): Record<number, Own> =>
  Object.fromEntries(
    dataUsers.flatMap(({ id, own, tma, tme }) =>
      own.served > 0 ? [[id, [own.served, own.serveSeconds, tma, own.waited, own.waitSeconds, tme]]] : [],
    ),
  )

/** Each attendant's part of what he closed and of what he gave away, and the waits that he ended. */
function ownByHand(services: Service[], userIds?: number[]): Record<number, Own> {
  const ids = [...new Set(services.flatMap(({ parts }) => [...parts.keys()]))].filter(
    id => !userIds || userIds.includes(id),
  )
  const summed = (all: number[]): [number, number, string] => {
    const sum = all.reduce((some, one) => some + one, 0)
    return [all.length, sum, durationOf(all.length === 0 ? null : Math.round(sum / all.length))]
  }
  const of = (id: number, pick: (one: Service) => Map<number, number>) =>
    summed(services.flatMap(one => pick(one).get(id) ?? []))
  return Object.fromEntries(ids.map(id => [id, [...of(id, one => one.parts), ...of(id, one => one.waits)]]))
}

/** What began at each hour of the week, as JavaScript knows the clock of a zone. */
export function hoursByHand(
  services: Service[],
  zone: string,
  { userIds, queueIds }: Chosen = {},
  { from, until }: ReportData['range'],
) {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const chosen = services.filter(
    one =>
      (!userIds || userIds.includes(one.userId)) &&
      (!queueIds || queueIds.includes(one.queueId)) &&
      one.at >= Date.parse(from) &&
      one.at <= Date.parse(until),
  )
  const placeOf = ({ began }: Service) => {
    const [day, time] = clock.format(began).split(' ') as [string, string]
    return (new Date(`${day}T00:00:00Z`).getUTCDay() || 7) * 24 + Number(time.slice(0, 2))
  }
  return [...Map.groupBy(chosen, placeOf)]
    .sort(([one], [other]) => one - other)
    .map(([place, all]) => {
      const { closed, waited, waitSeconds } = figuresFromRows(all)
      return { weekday: Math.floor(place / 24), hour: place % 24, closed, waited, waitSeconds }
    })
}

/** A report says what was found by hand. */
export function expectToSay(
  data: ReportData,
  all: Service[],
  zone: string,
  { userIds, queueIds }: Chosen = {},
) {
  const isIn = (ids: number[] | undefined, id: number) => !ids || ids.includes(id)
  const chosen = (one: Service) => isIn(userIds, one.userId) && isIn(queueIds, one.queueId)
  const closed = all.filter(
    ({ at }) => at >= Date.parse(data.range.from) && at <= Date.parse(data.range.until),
  )
  const [from, until] = [Date.parse(data.range.from), Date.parse(data.range.until)]
  const services = closed.filter(chosen)
  const before = all.filter(one => one.at >= 2 * from - until && one.at < from && chosen(one))
  expect(data.figures).toEqual(figuresFromRows(services))
  expect(data.before).toEqual(figuresFromRows(before))
  expect(data.changes).toEqual(changesFromRows(before, services))
  expect(data.countClosed).toBe(services.length)
  expect(closedIn(data.dataUsers)).toEqual(partsOf(services, 'userId'))
  expect(closedIn(data.dataQueuesWitchPercent)).toEqual(partsOf(services, 'queueId'))
  expect(closedIn(data.dataConnections)).toEqual(partsOf(services, 'whatsappId'))
  const tagIds = [...new Set(services.flatMap(one => one.tagIds))]
  expect(closedIn(data.dataTags)).toEqual(
    Object.fromEntries(
      tagIds.map(id => [id, figuresFromRows(services.filter(one => one.tagIds.includes(id)))]),
    ),
  )
  const parts = closed.filter(one => isIn(queueIds, one.queueId))
  expect(ownIn(data)).toEqual(ownByHand(parts, userIds))
  const byDay = byDayIn(zone, services)
  for (const { day, ...figures } of data.days)
    expect({ day, ...figures }).toEqual({ day, ...figuresFromRows(byDay.get(day) ?? []) })
  expect(data.days.reduce((sum, { closed }) => sum + closed, 0)).toBe(services.length)
  expectToAddUp(data, userIds)
  const shares = data.dataUsers.map(row => row.porcentagemAtendimentos)
  expect(shares).toEqual(percentsOf(data.dataUsers.map(row => row.qtdAtendimentos)))
}

/** People, queues, connections and days come to the figures of the whole, to the second. */
function expectToAddUp(data: ReportData, userIds?: number[]) {
  const sumOf = (rows: Figures[]) => rows.reduce(addFigures, NO_FIGURES)
  for (const rows of [data.dataUsers, data.dataQueuesWitchPercent, data.dataConnections])
    expect(sumOf(rows.map(({ figures }) => figures))).toEqual(data.figures)
  expect(sumOf(data.days.map(({ day: _day, ...figures }) => figures))).toEqual(data.figures)
  if (userIds) return
  const sum = (pick: (of: (typeof data.dataUsers)[0]['own']) => number) =>
    data.dataUsers.reduce((some, { own }) => some + pick(own), 0)
  expect(sum(own => own.serveSeconds)).toBe(data.figures.serveSeconds)
  expect(sum(own => own.waitSeconds)).toBe(data.figures.waitSeconds)
}

/** What stands behind a figure, and the file of it, are the services themselves. */
export async function expectBehind(
  app: TestApp,
  who: Person,
  all: Service[],
  [initialDate, finalDate]: [string, string],
  queueId: number,
) {
  const query = { initialDate, finalDate }
  const { figures, range } = (await who.get(reports.attendances, { query })).reportData
  const services = all.filter(({ at }) => at >= Date.parse(range.from) && at <= Date.parse(range.until))
  const byHand = (some: Service[]) =>
    some.map(one => [new Date(one.at).toISOString(), one.wait, one.answer, one.serve].join()).sort()
  const listed = async (narrowed: object) => {
    const found: string[] = []
    for (let pageNumber = 1, hasMore = true; hasMore; pageNumber++) {
      const page = await who.get(reports.services, { query: { ...query, ...narrowed, pageNumber } })
      for (const { closedAt, waitSeconds, answerSeconds, serveSeconds } of page.services)
        found.push([closedAt, waitSeconds, answerSeconds, serveSeconds].join())
      hasMore = page.hasMore
    }
    return found.sort()
  }
  expect(await listed({})).toEqual(byHand(services))
  expect(await listed({ queueId })).toEqual(byHand(services.filter(one => one.queueId === queueId)))
  const { url } = await who.get(reports.export, { query: { ...query, what: 'services', format: 'csv' } })
  const file = await fetch(app.url + url, { headers: { authorization: `Bearer ${who.token}` } })
  const lines = (await file.text()).trim().split('\r\n').slice(1)
  const sumAt = (place: number) => lines.reduce((sum, one) => sum + Number(one.split(';').at(place)), 0)
  expect([lines.length, sumAt(-3), sumAt(-2), sumAt(-1)]).toEqual([
    services.length,
    figures.waitSeconds,
    figures.answerSeconds,
    figures.serveSeconds,
  ])
}
