import { availabilitySpells, userAvailability } from '../../features/availability/availability.table.ts'
import { pauseReasons } from '../../features/pauseReasons/pauseReasons.table.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'
import type { Stage } from './write.ts'

const REASONS = ['Almoço', 'Café', 'Reunião', 'Treinamento']

/** Reasons of pauses, two weeks of pauses, and who has lunch now. */
export async function lumePauses(sql: Sql, { companyId, team }: Pick<Stage, 'companyId' | 'team'>) {
  const reasons = await sql
    .insert(pauseReasons)
    .values(REASONS.map(name => ({ companyId, name })))
    .returning({ id: pauseReasons.id })
  const [lunch, coffee] = reasons
  const hoursAgo = (hours: number) => tag`now() - make_interval(mins => ${Math.round(hours * 60)}::int)`
  await sql.insert(availabilitySpells).values(
    team.flatMap(({ id: userId }, at) =>
      Array.from({ length: 14 }, (_, day) => {
        const began = 24 * (day + 1) + at
        const [reasonId, lasts] = (day + at) % 3 === 0 ? [coffee!.id, 0.25] : [lunch!.id, 1 + at / 10]
        const spell = { companyId, userId, cause: 'hand' as const }
        return [
          {
            ...spell,
            state: 'available' as const,
            beganAt: hoursAgo(began + 4),
            endedAt: hoursAgo(began),
          },
          {
            ...{ ...spell, state: 'pause' as const, reasonId },
            beganAt: hoursAgo(began),
            endedAt: hoursAgo(began - lasts),
          },
        ]
      }).flat(),
    ),
  )
  const resting = team.at(-1)!
  const paused = { companyId, userId: resting.id, reasonId: lunch!.id }
  await sql.insert(userAvailability).values({
    ...{ ...paused, chosen: 'pause', chosenReasonId: lunch!.id },
    ...{ state: 'pause', cause: 'hand', since: hoursAgo(0.4) },
  })
  await sql
    .insert(availabilitySpells)
    .values({ ...paused, state: 'pause', cause: 'hand', beganAt: hoursAgo(0.4) })
}
