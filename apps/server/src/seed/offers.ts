import { plans } from '../features/companies/companies.table.ts'
import type { Sql } from '../platform/postgres/db.ts'
import { and, eq, isNull } from '../platform/postgres/sql.ts'

/** What a month costs (cents), by the period that is paid at once. */
export const prices = (one: number, three: number, six: number, twelve: number) => ({
  value1Month: one,
  value3Months: three,
  value6Months: six,
  value12Months: twelve,
})

/** What the plan that companies get costs, once it is sold. */
export const standardOffer = {
  slogan: 'Para equipes que atendem o dia todo',
  ...prices(19_900, 17_900, 16_900, 14_900),
}

const twoMore = [
  {
    name: 'Essencial',
    slogan: 'Para começar com um número',
    numberAttendants: 3,
    enableBots: false,
    enableFlows: false,
    iaIntegrationEnabled: false,
    ...prices(8_900, 7_900, 7_400, 6_900),
  },
  {
    name: 'Profissional',
    slogan: 'Campanhas, robôs e todos os números da empresa',
    description: 'Com ajuda na mudança: trazemos contatos e conversas dos números que você já usa.',
    numberAttendants: 30,
    numberConnections: 10,
    enableCampaigns: true,
    highlighted: 1,
    ...prices(44_900, 40_900, 37_900, 33_900),
  },
] as const

/** What the store has to show: the plan that companies get gets a price, and two more beside it. */
export async function demoOffers(sql: Sql): Promise<void> {
  await sql.update(plans).set(standardOffer).where(eq(plans.isStandard, true))
  await sql.insert(plans).values([...twoMore])
}

/** Deletes what `demoOffers` made, where it is unchanged: the store would offer it to strangers. */
export async function withdrawOffers(sql: Sql): Promise<void> {
  for (const { name, slogan, value1Month } of twoMore)
    await sql
      .delete(plans)
      .where(
        and(
          isNull(plans.companyId),
          eq(plans.name, name),
          eq(plans.slogan, slogan),
          eq(plans.value1Month, value1Month),
        ),
      )
  const { slogan, value1Month } = standardOffer
  await sql
    .update(plans)
    .set({ slogan: '', status: false, ...prices(0, 0, 0, 0) })
    .where(and(eq(plans.isStandard, true), eq(plans.slogan, slogan), eq(plans.value1Month, value1Month)))
}
