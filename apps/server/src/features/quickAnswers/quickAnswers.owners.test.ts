import { queues } from '@balcao/contract/queues.ts'
import { type QuickAnswerInput, quickAnswerChannel, quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let [admin, marina, caio, stranger]: Person[] = []
/** Marina is a member, Caio is not. */
let queueId: number
beforeAll(async () => {
  app = await openTestApp()
  const emails = ['admin@balcao.test', 'atendente@balcao.test', 'caio@balcao.test', 'admin@outra.test']
  ;[admin, marina, caio, stranger] = await Promise.all(emails.map(email => app.as(email)))
  queueId = await aQueueOf(marina!)
})
afterAll(() => app.close())

const message = 'A lua nova nasce cedo.'
const add = (who: Person, shortcut: string, owner: Partial<QuickAnswerInput> = {}) =>
  who.get(quickAnswers.create, { body: { shortcut, message, ...owner } })
const tried = (who: Person, body: QuickAnswerInput) => who.call(quickAnswers.create, { body })
const sees = async (who: Person, searchParam: string) =>
  (await who.get(quickAnswers.list, { query: { searchParam } })).quickAnswers.map(({ id }) => id)
const own = (who: Person) => ({ userId: who.user.id })

async function aQueueOf(member: Person) {
  const color = `#${Math.floor(Math.random() * 0xffffff)
    .toString(16)
    .padStart(6, '0')}`
  const { id } = await admin!.get(queues.create, { body: { name: `Fila ${color}`, color } })
  const params = { userId: member.user.id }
  const had = (await admin!.get(users.show, { params })).queues.map(queue => queue.id)
  await admin!.get(users.change, { params, body: { queueIds: [...had, id] } })
  return id
}

test('a shortcut is there once, whatever its case and accents; the refusal shows the answer that has it', async () => {
  const { id } = await add(marina!, 'Língua')
  const taken = {
    status: 409,
    body: {
      error: 'ERR_NAME_EXISTS',
      field: 'shortcut',
      details: { quickAnswerId: id, shortcut: 'Língua', message },
    },
  }
  expect(await tried(caio!, { shortcut: 'LINGUA', message })).toMatchObject(taken)
  const other = await add(marina!, 'outro')
  const params = { quickAnswerId: other.id }
  const body = { shortcut: 'lingua', message }
  expect(await marina!.call(quickAnswers.change, { params, body })).toMatchObject(taken)
  const itself = { params: { quickAnswerId: id }, body }
  expect(await marina!.get(quickAnswers.change, itself)).toMatchObject(body)
  await add(stranger!, 'lingua')
})

test('of two who add a shortcut at once one is refused', async () => {
  const both = await Promise.all([marina!, caio!].map(who => tried(who, { shortcut: 'juntos', message })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('the company, a queue and each person may have the same shortcut, and everybody sees what is for them', async () => {
  const shared = await add(caio!, 'aceno')
  const ofQueue = await add(marina!, 'aceno', { queueId })
  const [hers, his] = [await add(marina!, 'aceno', own(marina!)), await add(caio!, 'aceno', own(caio!))]
  expect(hers).toMatchObject({ queueId: null, userId: marina!.user.id })
  expect(await sees(marina!, 'aceno')).toEqual([shared.id, ofQueue.id, hers.id])
  expect(await sees(caio!, 'aceno')).toEqual([shared.id, his.id])
  expect(await sees(admin!, 'aceno')).toEqual([shared.id, ofQueue.id])
  expect(await sees(stranger!, 'aceno')).toEqual([])

  for (const [who, { id }] of [
    [caio!, ofQueue],
    [caio!, hers],
    [admin!, hers],
    [stranger!, ofQueue],
  ] as const) {
    const params = { quickAnswerId: id }
    const body = { shortcut: 'meu', message }
    const answers = [
      await who.call(quickAnswers.show, { params }),
      await who.call(quickAnswers.change, { params, body }),
      await who.call(quickAnswers.remove, { params }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  }
})

test('nobody adds one to a queue of others, in the name of another, or to both', async () => {
  const theirs = (await stranger!.get(queues.list))[0]!.id
  const refusals: [Person, Partial<QuickAnswerInput>, string, string][] = [
    [caio!, { queueId }, 'ERR_NO_QUEUE_FOUND', 'queueId'],
    [admin!, { queueId: theirs }, 'ERR_NO_QUEUE_FOUND', 'queueId'],
    [admin!, own(marina!), 'ERR_NO_USER_FOUND', 'userId'],
    [marina!, { queueId, ...own(marina!) }, 'ERR_BAD_REQUEST', 'queueId'],
  ]
  for (const [who, owner, error, field] of refusals)
    expect((await tried(who, { shortcut: 'alheia', message, ...owner })).body).toMatchObject({ error, field })
})

test('one’s own is deleted and given away without a right, what is shared is not', async () => {
  const hers = await add(marina!, 'bilhete', own(marina!))
  await marina!.get(quickAnswers.remove, { params: { quickAnswerId: hers.id } })
  const given = { params: { quickAnswerId: (await add(marina!, 'bilhete', own(marina!))).id } }
  const move = (who: Person, owner: Partial<QuickAnswerInput>) =>
    who.call(quickAnswers.change, { ...given, body: { shortcut: 'bilhete', message, ...owner } })
  expect((await move(marina!, { queueId })).body).toMatchObject({ queueId, userId: null })
  const [moved, removed] = [await move(marina!, own(marina!)), await marina!.call(quickAnswers.remove, given)]
  expect([moved.body.error, removed.body.error]).toEqual(['ERR_NO_PERMISSION', 'ERR_NO_PERMISSION'])
  // as the documents send it: it stays whose it is
  expect((await move(marina!, {})).body).toMatchObject({ queueId })
  expect((await move(admin!, { queueId: null })).body).toMatchObject({ queueId: null, userId: null })
})

test('a change is heard by those who see it; who does not see it any more hears that it is gone', async () => {
  const people = [admin!, marina!, caio!, stranger!]
  const heard = await Promise.all(people.map(who => who.subscribe(quickAnswerChannel)))
  const body = { shortcut: 'ouvida', message }
  const { id: quickAnswerId } = await add(marina!, 'ouvida', own(marina!))
  const move = (who: Person, owner: Partial<QuickAnswerInput>) =>
    who.get(quickAnswers.change, { params: { quickAnswerId }, body: { ...body, ...owner } })
  await move(marina!, { queueId })
  await move(admin!, { queueId: null })
  await move(admin!, { queueId })
  await move(admin!, own(admin!))
  await admin!.get(quickAnswers.remove, { params: { quickAnswerId } })
  const last = await add(admin!, 'fim')
  await until(() =>
    people.slice(0, 3).every((_, at) => heard[at]!.at(-1)?.action === 'create' && heard[at]!.length > 1),
  )
  const said = heard.map(pushes => pushes.map(push => push.action).join(' '))
  expect(said).toEqual([
    'update update update update delete create',
    'create update update update delete create',
    'update delete create',
    '',
  ])
  expect(heard[2]!.at(-1)).toEqual({ action: 'create', quickAnswer: last })
})

test('those of a deleted queue are the company’s; those of a deleted user go with the user', async () => {
  const doomed = await aQueueOf(marina!)
  const kept = await add(marina!, 'herdada', { queueId: doomed })
  const heard = await caio!.subscribe(quickAnswerChannel)
  await admin!.get(queues.remove, { params: { queueId: doomed } })
  await until(() => heard.length === 1)
  expect(heard).toEqual([{ action: 'update', quickAnswer: { ...kept, queueId: null } }])
  expect(await sees(caio!, 'herdada')).toEqual([kept.id])

  await add(caio!, 'partida', own(caio!))
  await admin!.get(users.remove, { params: { userId: caio!.user.id } })
  expect(await sees(admin!, 'partida')).toEqual([])
})
