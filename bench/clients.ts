import { emailOf, type Size } from './dataset.ts'
import { type Driver, drive, type Request } from './load.ts'
import type { Judged } from './paths.ts'
import type { Place } from './place.ts'

export const CLIENTS = 'GET /company'
export const ALL = Number(process.env.BENCH_CLIENTS ?? 10_000)
/** A company that goes is looked for in every table: so many at once. */
const AT_ONCE = 250
/** Not the company of the other rows: its sockets must receive nothing more. */
export const OPERATORS_COMPANY = 4
const ADMIN = 1

/** The list of all companies as the operator of ten thousand sees it, each with a plan, three people and a connection. */
export async function driveClients(driver: Driver, place: Place, size: Size): Promise<Judged[]> {
  await foundClients(place, size)
  const token = await driver.as(OPERATORS_COMPANY, ADMIN)
  const paths: Judged[] = []
  for (const [name, next] of clientPaths) {
    const figure = await drive(driver, `${CLIENTS}, ${name} of ${ALL}`, token, next)
    paths.push({ ...figure, target: 'p99 ≤ 100 ms', met: figure.p99 <= 100 })
  }
  await removeClients(place, size)
  return paths
}

/** Ten thousand companies, each with a plan, three people and a connection. */
export async function foundClients(place: Place, size: Size): Promise<void> {
  await place.query(founded(size))
  for (const table of ['companies', 'plans', 'users', 'whatsapps']) await place.sweep(table)
}

/** What the other rows measure has no more companies than they know of. */
export async function removeClients(place: Place, size: Size): Promise<void> {
  for (let at = firstClient(size); at <= ALL; at += AT_ONCE) await place.query(gone(at))
}

const get = (path: string) => (): Request => ({ path })
export const clientPaths: [name: string, next: () => Request][] = [
  ['first page', get('/company')],
  ['page 400', get('/company?pageNumber=400')],
  ['search, one', get('/company?searchParam=cliente%2004242')],
  ['search, nothing', get('/company?searchParam=hipop%C3%B3tamo')],
]

export const firstClient = ({ companies }: Size) => companies + 1

const founded = (size: Size) => `with
  operator as (update users set master = 1 where email = '${emailOf(OPERATORS_COMPANY, ADMIN)}' returning 1),
  companies as (insert into companies (id, name, company_name, email, number_attendants, number_conections)
    select c, 'Cliente ' || lpad(c::text, 5, '0'), 'Cliente ' || c || ' Ltda', 'cliente' || c || '@bench.test', 10, 2
    from generate_series(${firstClient(size)}, ${ALL}) c returning id),
  plans as (insert into plans (id, company_id, name) select 1000000 + id, id, 'Bench' from companies returning 1),
  people as (insert into users (company_id, name, email, password_hash, profile)
    select id, 'Pessoa ' || n, 'pessoa' || n || '@cliente' || id || '.test', '', 'admin'
    from companies, generate_series(1, 3) n returning 1),
  lines as (insert into whatsapps (company_id, name, lib, status)
    select id, 'Linha', 'simulator', 'DISCONNECTED' from companies returning 1)
  select (select count(*) from people), (select count(*) from lines), (select count(*) from plans)`

const gone = (from: number) => `delete from companies where id between ${from} and ${from + AT_ONCE - 1}`
