import { expect, test } from 'vitest'
import { compareFields, fieldsOfMessage } from './fields.ts'

const schema = `message Other {
    optional string text = 1;
}

message Message {
    optional string conversation = 1;
    optional PollCreationMessage pollCreationMessageV9 = 190;
    message Inner {
        optional string conversation = 7;
    }

}
`

test('the fields that Baileys lacks, and those that the description lacks, are named', () => {
  const fields = fieldsOfMessage(schema)
  expect(fields).toEqual([
    [1, 'conversation', 'string'],
    [190, 'pollCreationMessageV9', 'PollCreationMessage'],
  ])
  const described = [
    [1, 'conversation', 'string'],
    [118, 'spoilerMessage', 'FutureProofMessage'],
  ] as const
  expect(compareFields(fields, described)).toEqual([
    'Baileys lacks 118 spoilerMessage (FutureProofMessage)',
    'library/message-fields.ts lacks 190 pollCreationMessageV9 (PollCreationMessage)',
  ])
  expect(compareFields(described, described)).toEqual([])
})
