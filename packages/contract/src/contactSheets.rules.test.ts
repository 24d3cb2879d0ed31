import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guessColumns, headOf, joined, layoutOf, parted } from './contactSheets.rules.ts'

const columnsOf = (head: string[]) => {
  const columns = guessColumns(headOf(head), [])
  const named = (at: number | null) => (at === null ? null : head[at])
  const { names, numbers } = layoutOf(head, columns)
  return {
    ...{ name: names.map(named), number: named(columns.number), email: named(columns.email) },
    others: numbers.map(named),
  }
}

test.each([
  [
    'First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Name Suffix,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value',
    ['First Name', 'Middle Name', 'Last Name'],
    ['Phone 1 - Value', 'E-mail 1 - Value', ['Phone 2 - Value']],
  ],
  [
    'Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value',
    ['Name'],
    ['Phone 1 - Value', 'E-mail 1 - Value', []],
  ],
  [
    'First Name,Middle Name,Last Name,Company,Business Fax,Business Phone,Home Phone,Mobile Phone,E-mail Address,E-mail Type,E-mail Display Name',
    ['First Name', 'Middle Name', 'Last Name'],
    ['Mobile Phone', 'E-mail Address', ['Business Phone', 'Home Phone']],
  ],
  [
    'Nome,Segundo Nome,Sobrenome,Empresa,Fax Comercial,Telefone Comercial,Telefone Celular,Endereço de Email',
    ['Nome', 'Segundo Nome', 'Sobrenome'],
    ['Telefone Celular', 'Endereço de Email', ['Telefone Comercial']],
  ],
  ['nome,telefone,e-mail', ['nome'], ['telefone', 'e-mail', []]],
  ['name,number,email,lid,categories,extraInfo', ['name'], ['number', 'email', []]],
])('the columns of %s are known', (head, name, [number, email, others]) => {
  expect(columnsOf(head.split(','))).toEqual({ name, number, email, others })
})

test('texts in one cell come apart as they were', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...'a,;:\\ '), minLength: 1, maxLength: 6 }), {
    maxLength: 4,
  })
  const isSame = (some: string[]) => expect(parted(joined(some, ','), ',')).toEqual(some)
  fc.assert(fc.property(texts, some => void isSame(some)))
})
