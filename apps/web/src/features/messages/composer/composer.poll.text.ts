import { texts } from '../../../platform/text.ts'

export const usePollText = texts({
  question: ['Pergunta', 'Question', 'Pregunta'],
  options: ['Opções', 'Options', 'Opciones'],
  option: ['Opção {count}', 'Option {count}', 'Opción {count}'],
  removeOption: ['Remover {name}', 'Remove {name}', 'Quitar {name}'],
  twice: ['Esta opção já existe', 'This option is there already', 'Esta opción ya existe'],
  several: ['Permitir várias respostas', 'Allow several answers', 'Permitir varias respuestas'],
  official: [
    'Na API oficial, que não tem enquetes, as opções vão como botões, lista ou texto.',
    'On the official API, which has no polls, the options are sent as buttons, a list or text.',
    'En la API oficial, que no tiene encuestas, las opciones van como botones, lista o texto.',
  ],
})
