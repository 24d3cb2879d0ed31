import { expect, test } from 'vitest'
import { formAnswers, formLines } from './form-answers.ts'

test('an address is read field by field, without the ids of the network', () => {
  const values = { name: 'Ana', phone_number: '+5571999990000', address: 'Rua Chile, 10', floor_number: '' }
  const fields = formAnswers(JSON.stringify({ saved_address_id: 'address1', values }))
  expect(formLines(fields)).toBe('name: Ana\nphone number: +5571999990000\naddress: Rua Chile, 10')
  expect(formAnswers('{"values":[1]}')).toEqual([{ label: 'values', value: '1' }])
})
