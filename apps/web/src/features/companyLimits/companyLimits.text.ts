import { texts } from '../../platform/text.ts'

export const useLimitsText = texts({
  limits: ['Acima do plano', 'Above the plan', 'Por encima del plan'],
  chooseBy: [
    'A empresa tem mais do que o plano permite. Escolha até {day} o que continua; depois, os mais novos ficam em repouso. Nada é excluído.',
    'The company has more than its plan allows. Choose by {day} what goes on; after that the newest rest. Nothing is deleted.',
    'La empresa tiene más de lo que el plan permite. Elija hasta el {day} qué continúa; después, los más nuevos quedan en reposo. Nada se elimina.',
  ],
  resting: [
    'Usuários em repouso não entram, e conexões em repouso não funcionam. Um plano maior desfaz isso.',
    'Resting users cannot log in, and resting connections do not run. A bigger plan undoes it.',
    'Los usuarios en reposo no entran y las conexiones en reposo no funcionan. Un plan mayor lo deshace.',
  ],
  choosers: ['Quem escolhe: {names}.', 'Who chooses: {names}.', 'Quién elige: {names}.'],
  choose: ['Escolher', 'Choose', 'Elegir'],
  title: ['O que continua', 'What goes on', 'Qué continúa'],
  users: ['Usuários ({chosen} de {limit})', 'Users ({chosen} of {limit})', 'Usuarios ({chosen} de {limit})'],
  connections: [
    'Conexões ({chosen} de {limit})',
    'Connections ({chosen} of {limit})',
    'Conexiones ({chosen} de {limit})',
  ],
  admin: ['administrador', 'administrator', 'administrador'],
  tooMany: [
    'Há mais escolhidos do que o plano permite.',
    'More are chosen than the plan allows.',
    'Hay más elegidos de los que el plan permite.',
  ],
  save: ['Salvar escolha', 'Save the choice', 'Guardar elección'],
  saved: ['Escolha salva', 'The choice was saved', 'Elección guardada'],
  restNow: [
    '{users} usuários e {connections} conexões em repouso',
    '{users} users and {connections} connections rest',
    '{users} usuarios y {connections} conexiones en reposo',
  ],
})
