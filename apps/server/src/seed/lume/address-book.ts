import { categories } from '../../features/categories/categories.table.ts'
import { phoneId } from '../../features/contacts/contacts.identifiers.queries.ts'
import { contactCategories, contactIdentifiers, contacts } from '../../features/contacts/contacts.table.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { dice } from './dice.ts'

const labels = [
  ['Cliente ouro', '#b8860b'],
  ['Revenda', '#1273de'],
  ['Empresa', '#7a3ff2'],
  ['Arquiteto', '#008b02'],
  ['Bairro', '#00897b'],
  ['Feira 2026', '#d32f2f'],
] as const

const first =
  `Adriana Alberto Bernardo Carla Cecília Cristiano Daniela Edson Estela Fábio Flávia Glória Henrique
Irene Jaqueline Joana Kátia Lauro Lígia Magali Mauro Nádia Olga Pedro Raquel Rogério Silvana Valdir`.split(
    /\s+/,
  )
const last = ['Aragão', 'Brandão', 'Coutinho', 'Figueiredo', 'Sampaio']

/** Who bought before the shop was on WhatsApp: a hundred and forty more contacts that have not written yet. */
const others = first.flatMap((given, row) =>
  last.map((family, column) => {
    const place = row * last.length + column
    const mailbox = `${given}.${family}`.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    return {
      name: `${given} ${family}`,
      number: `55719${84_000_000 + place * 10_007}`,
      email: place % 2 === 0 ? `${mailbox}@mail.test` : '',
    }
  }),
)

/** Fills the list of contacts, and marks many of them, those of the story too. */
export async function writeAddressBook(sql: Sql, companyId: number, customerIds: number[]): Promise<void> {
  const made = await sql
    .insert(contacts)
    .values(others.map(other => ({ companyId, ...other })))
    .returning({ id: contacts.id, number: contacts.number })
  await sql.insert(contactIdentifiers).values(
    made.map(({ id, number }) => ({
      companyId,
      kind: 'phone' as const,
      value: phoneId(number),
      contactId: id,
    })),
  )
  const marks = await sql
    .insert(categories)
    .values(labels.map(([name, color]) => ({ companyId, name, color })))
    .returning({ id: categories.id })
  const { chance } = dice(20_261_122)
  const marked = [...customerIds, ...made.map(({ id }) => id)].flatMap(contactId =>
    marks
      .filter((_, at) => chance(at === 0 ? 0.3 : 0.15))
      .map(({ id: categoryId }) => ({ companyId, contactId, categoryId })),
  )
  await sql.insert(contactCategories).values(marked)
}
