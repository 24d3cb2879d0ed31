import { texts } from '../../../platform/text.ts'

export const useMeanwhileText = texts({
  answered: [
    'Alguém respondeu enquanto você escrevia:',
    'Somebody answered while you were writing:',
    'Alguien respondió mientras escribía:',
  ],
  keys: [
    'Enter envia mesmo assim · Esc continua a edição',
    'Enter sends it anyway · Esc goes on editing',
    'Enter envía de todos modos · Esc sigue editando',
  ],
  send: ['Enviar mesmo assim', 'Send anyway', 'Enviar de todos modos'],
  edit: ['Continuar editando', 'Go on editing', 'Seguir editando'],
  phone: ['Celular', 'Phone', 'Teléfono'],
  more: ['e mais {count}', 'and {count} more', 'y {count} más'],
})
