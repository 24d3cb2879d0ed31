import { randomUUID } from 'node:crypto'
import { chatMembers, chatMessages, chatRooms } from '../../features/chat/chat.table.ts'
import { mentions } from '../../features/mentions/mentions.table.ts'
import { messages } from '../../features/messages/messages.table.ts'
import { externalIdOf } from '../../platform/external.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Stage } from './write.ts'

type Team = Pick<Stage, 'companyId' | 'team'>

/** Places in the team. */
const [HELENA, MARINA, CAIO, BIANCA] = [0, 1, 2, 3]

const NOTES = [
  { by: MARINA, body: '@Helena Prado o cliente pede 10% à vista. Posso dar?', of: HELENA },
  { by: CAIO, body: 'Entrega só depois das 18h: o porteiro não recebe antes.', of: null },
  { by: HELENA, body: '@Marina Duarte é cliente desde 2019, capricha no prazo.', of: MARINA },
  { by: BIANCA, body: '@Helena Prado a nota saiu com o CNPJ antigo, já pedi a correção.', of: HELENA },
  { by: CAIO, body: 'Já tentei ligar duas vezes, sem resposta.', of: null },
]

interface OpenTicket {
  id: number
  contact_id: number
  updated_at: string
}

/** What colleagues noted on conversations under way, and what they talk about; some of it the admin has not read. */
export async function lumeTeamTalk(sql: Sql, stage: Team): Promise<void> {
  const open = await rowsFrom<OpenTicket>(
    sql,
    tag`select id, contact_id, updated_at from tickets where company_id = ${stage.companyId} and status = 'open'
      order by updated_at desc, id desc limit ${NOTES.length}`,
  )
  await writeNotes(sql, stage, open)
  const turn = ['Bom dia! Quem cobre o almoço hoje?', 'Eu fico das 12 às 13.', 'Combinado. Volto às 13.']
  const late = ['Chegou o lote de cadeiras cinza.', 'Liberado para venda?', 'Sim, já está no estoque.']
  await writeRoom(sql, stage, {
    people: [HELENA, MARINA, CAIO, BIANCA],
    room: { isGroup: true, name: 'Time da loja', ownerId: stage.team[HELENA]!.id },
    lines: [
      ...turn.map((body, at) => ({ by: [BIANCA, CAIO, BIANCA][at]!, body })),
      ...late.map((body, at) => ({ by: [MARINA, CAIO, MARINA][at]!, body })),
      { by: BIANCA, body: 'Podem olhar este atendimento?', ticketId: open[0]?.id ?? null },
    ],
    unread: { by: HELENA, count: 3 },
  })
  const pair = [stage.team[HELENA]!.id, stage.team[MARINA]!.id].sort((a, b) => a - b)
  await writeRoom(sql, stage, {
    people: [HELENA, MARINA],
    room: { isGroup: false, lowId: pair[0]!, highId: pair[1]! },
    lines: [
      { by: HELENA, body: 'Marina, você fecha o caixa na sexta?' },
      { by: MARINA, body: 'Fecho sim.' },
      { by: HELENA, body: 'Obrigada!' },
      { by: MARINA, body: 'Pode ver a nota que deixei no primeiro da lista?' },
    ],
    unread: { by: HELENA, count: 1 },
  })
}

async function writeNotes(sql: Sql, { companyId, team }: Team, open: OpenTicket[]): Promise<void> {
  const notes = open.map((ticket, at) => ({ ...NOTES[at]!, ticket, id: randomUUID() }))
  if (notes.length === 0) return
  await sql.insert(messages).values(
    notes.map(({ id, ticket, by, body, of }) => ({
      ...{ id, companyId, ticketId: ticket.id, contactId: ticket.contact_id, whatsappId: null },
      ...{ externalId: externalIdOf(id), isPrivate: true, fromMe: true, source: 'person' as const },
      ...{ userId: team[by]!.id, body, ack: 2, read: true, mentions: of === null ? null : [team[of]!.id] },
      createdAt: tag`least(now(), ${ticket.updated_at}::timestamptz + interval '1 minute')`,
    })),
  )
  const named = notes.flatMap(({ id, of }) => (of === null ? [] : { messageId: id, userId: team[of]!.id }))
  if (named.length > 0) await sql.insert(mentions).values(named.map(one => ({ companyId, ...one })))
}

interface Talk {
  people: number[]
  room: Omit<typeof chatRooms.$inferInsert, 'companyId'>
  lines: { by: number; body: string; ticketId?: number | null }[]
  unread: { by: number; count: number }
}

async function writeRoom(
  sql: Sql,
  { companyId, team }: Team,
  { people, room, lines, unread }: Talk,
): Promise<void> {
  const minutesAgo = (minutes: number) => tag`now() - make_interval(mins => ${minutes}::int)`
  const [made] = await sql
    .insert(chatRooms)
    .values({ companyId, ...room, lastPosition: lines.length, at: minutesAgo(5) })
    .returning({ id: chatRooms.id })
  const roomId = made!.id
  await sql.insert(chatMembers).values(
    people.map(place => ({
      ...{ companyId, roomId, userId: team[place]!.id },
      readPosition: lines.length - (place === unread.by ? unread.count : 0),
    })),
  )
  await sql.insert(chatMessages).values(
    lines.map(({ by, body, ticketId = null }, at) => ({
      ...{ id: randomUUID(), companyId, roomId, position: at + 1, body, ticketId },
      ...{ userId: team[by]!.id, userName: team[by]!.name, createdAt: minutesAgo((lines.length - at) * 5) },
    })),
  )
}
