import type { Lost } from './lost.worker.ts'

const SECRET = 'JWT_SECRET is the secret of the database now.'

/** What the operator reads after `npm run reseal -- --lost`: of each company what is gone, and who does what about it. */
export function lostLines(lost: Lost[], names: Map<number, string>): string[] {
  if (lost.length === 0) return [`${SECRET} Nothing was sealed with another.`]
  const ids = [...new Set(lost.flatMap(({ companies }) => [...companies.keys()]))].sort((a, b) => a - b)
  const ofCompany = (id: number) =>
    Array.from(
      Map.groupBy(
        lost.filter(({ companies }) => companies.has(id)),
        ({ column }) => column.lost,
      ),
      ([{ what, todo }, its]) => {
        const rows = Math.max(...its.map(({ companies }) => companies.get(id)!))
        return `  ${what} (${rows})${todo && `: ${todo}`}`
      },
    )
  return [
    `${SECRET} What the lost one sealed cannot be opened any more:`,
    ...ids.flatMap(id => [`company ${id} ${names.get(id) ?? 'of the installation'}`, ...ofCompany(id)]),
    'Everything else goes on: start the product.',
  ]
}
