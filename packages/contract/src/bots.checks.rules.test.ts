import { expect, test } from 'vitest'
import { problemsOf } from './bots.checks.rules.ts'
import { BotLogic } from './bots.logic.ts'
import { type ScriptCommand, type ScriptSetup, scriptOf } from './bots.script.rules.ts'
import { botDefaults } from './bots.ts'

const SALES = 10
const at = (commandBot: string, commandType: number, more: Partial<ScriptCommand> = {}): ScriptCommand => ({
  id: Number(commandBot.replaceAll('.', '')),
  commandBot,
  commandType,
  descriptionBot: `Opção ${commandBot}`,
  showMessage: 'Olá',
  mediaUrl: null,
  webhook: null,
  userId: null,
  queueId: null,
  typeMessage: 'singleMessage',
  flowId: null,
  botConfigId: null,
  forceNextFlow: '',
  logic: null,
  tagIds: [],
  categoryIds: [],
  ...more,
})
const found = (commands: ScriptCommand[], setup: Partial<ScriptSetup> = {}) =>
  problemsOf(
    scriptOf({ ...botDefaults, transferQueueId: null, botConfigId: null, ...setup }, commands, {
      greeting: '',
      queues: new Map([[SALES, '']]),
      userIds: new Set([1]),
      flowIds: new Set([1]),
      botConfigIds: new Set([1]),
      isOpen: null,
    }),
  ).map(({ number, problem }) => `${number} ${problem}`.trim())

test('a tree that works has no problems', () => {
  const tree = [
    at('1', 2),
    at('1.1', 3, { queueId: SALES }),
    at('1.2', 7, { forceNextFlow: '1.3' }),
    at('1.3', 1, { typeMessage: 'flow', flowId: 1, showMessage: '' }),
    at('1.4', 8, { botConfigId: 1 }),
    at('1.5', 4, { userId: 1 }),
    at('1.6', 5, { showMessage: '' }),
  ]
  expect(found(tree)).toEqual([])
})

test.each([
  [[at('1', 2)], ['1 emptyMenu']],
  [[at('1', 3)], ['1 noQueue']],
  [[at('1', 3, { queueId: 99 })], ['1 noQueue']],
  [[at('1', 4, { userId: 99 })], ['1 noUser']],
  [[at('1', 1, { typeMessage: 'flow', flowId: 99 })], ['1 noFlow']],
  [[at('1', 8)], ['1 noPrompt']],
  [[at('1', 7, { forceNextFlow: '8' })], ['1 jumpsNowhere']],
  [[at('1', 1), at('2.1', 1)], ['2.1 noParent']],
  [[at('1', 1, { showMessage: ' ' })], ['1 saysNothing']],
  [[at('1', 1), at('2', 1, { descriptionBot: '' })], ['2 unnamed']],
  [
    [at('1', 2), at('1.1', 1, { descriptionBot: 'A' }), at('1.2', 1, { descriptionBot: 'a' })],
    ['1 sameName'],
  ],
  [
    [at('1', 1, { forceNextFlow: '2' }), at('2', 1, { forceNextFlow: '1' })],
    ['1 circle', '2 circle'],
  ],
  [[at('1', 6), at('1.1', 1), at('1.2', 1), at('1.3', 1), at('1.4', 1)], ['1 tooManyChoices']],
  [
    [
      at('1', 2, { showMessage: 'a'.repeat(4_000) }),
      at('1.1', 1, { descriptionBot: 'b'.repeat(90) }),
      at('1.2', 1),
    ],
    ['1 tooLong'],
  ],
  [[at('1', 1, { showMessage: 'a'.repeat(1_025), mediaUrl: '/media/1/a.png' })], ['1 tooLong']],
  [[], ['noCommands']],
])('what cannot work is told by its command: case %#', (commands, problems) => {
  expect(found(commands)).toEqual(problems)
})

test('a question asks, so what leads back to it is no circle', () => {
  expect(found([at('1', 7, { forceNextFlow: '2' }), at('2', 1, { forceNextFlow: '1' })])).toEqual([])
})

test('what a setup points to is looked for too', () => {
  expect(found([], { botType: 'gpt' })).toEqual(['noPrompt'])
  const action = { actionWithoutQueue: 'transferQueueDefault' as const }
  expect(found([at('1', 1)], { ...action, transferQueueId: 99 })).toEqual(['noTransferQueue'])
  expect(found([at('1', 1)], { ...action, transferQueueId: SALES })).toEqual([])
})

test('a condition, a request and a question with checks say what they lack', () => {
  const logic = (given: object = {}) => ({ logic: BotLogic.parse(given), descriptionBot: '' })
  const closed = { conditions: [{ kind: 'hours', open: false }] }
  const tree = [
    at('1', 1),
    at('2', 1),
    at('3', 9, logic(closed)),
    at('3.1', 1),
    at('4', 9, { ...logic(), descriptionBot: 'Mais' }),
    at('5', 10, { ...logic({ otherwise: '8' }), descriptionBot: 'Pedido' }),
    at('6', 7, { ...logic({ check: 'oneOf', waitMinutes: 5 }), descriptionBot: 'Qual' }),
  ]
  expect(found(tree)).toEqual([
    '3 noHours',
    '4 noConditions',
    '4 noBranch',
    '5 noBranch',
    '5 noAddress',
    '5 jumpsNowhere',
    '6 noChoices',
    '6 noSilent',
  ])
})
