import { expect, test } from 'vitest'
import { isStopWord } from './optOuts.rules.ts'

test.each([
  ...[
    'SAIR',
    'sair!',
    'Sair, por favor',
    'PARE',
    'parem',
    'STOP',
    'Stop please',
    'quero sair',
    'Quero sair da lista',
  ],
  ...[
    'não quero mais receber',
    'Não quero receber mais mensagens',
    'nao quero mais receber isso',
    'me tira dessa lista',
  ],
  ...[
    'Parem de mandar mensagem',
    'para de me mandar mensagens',
    'Não me mandem mais nada',
    'descadastrar',
    'unsubscribe',
  ],
  ...[
    'No quiero recibir más mensajes',
    'ya no quiero recibir',
    'Quiero darme de baja de la lista',
    'não quero mais mensagens',
    'no quiero más mensajes',
    'quero parar de receber mensagens',
    'quítenme de la lista',
  ],
  ...['Stop sending messages', "don't text me", 'remove me from this list'],
])('%s asks for no more messages', text => {
  expect(isStopWord(text, ['SAIR'])).toBe(true)
})

test.each([
  ...[
    '',
    'Quero sair mais cedo',
    'não quero o azul, quero o verde',
    'pode parar na loja?',
    'Não recebi',
    'sair às 15h',
  ],
  ...[
    'quero',
    'não',
    'no',
    'para',
    'Não quero receber o sofá na segunda',
    'stop by the shop',
    'a lista',
    'obrigado',
  ],
  // of an order, a course, an appointment
  ...[
    'Quero cancelar a inscrição',
    'quiero cancelar mi suscripción',
    'Darme de baja',
    'BAJA',
    'Não quero mais, obrigada',
    'Basta, obrigado',
    'preciso sair',
    'preciso parar',
    'remover',
    'quit',
    'Ya no quiero',
    'do not send',
    'nao mande mais',
  ],
])('%s does not', text => {
  expect(isStopWord(text, ['SAIR'])).toBe(false)
})

test('a company without SAIR has its own words alone', () => {
  expect(['sair', 'STOP', 'quero sair'].filter(text => isStopWord(text, ['chega']))).toEqual([])
  expect(isStopWord('Chega, por favor', ['chega'])).toBe(true)
})
