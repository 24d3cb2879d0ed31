import { texts } from '../platform/text.ts'

/** What the shortcuts do, and the words of their sheet. */
export const useShortcutText = texts({
  title: ['Atalhos do teclado', 'Keyboard shortcuts', 'Atajos de teclado'],
  lists: ['Listas', 'Lists', 'Listas'],
  ticket: ['Atendimento aberto', 'Open ticket', 'Atención abierta'],
  everywhere: ['Em toda parte', 'Everywhere', 'En todas partes'],
  assigned: ['Atendendo', 'Attending', 'Atendiendo'],
  pending: ['Aguardando', 'Waiting', 'Esperando'],
  all: [
    'Todos os atendimentos (administradores)',
    'All tickets (administrators)',
    'Todas las atenciones (administradores)',
  ],
  create: ['Novo atendimento', 'New ticket', 'Nueva atención'],
  search: ['Buscar', 'Search', 'Buscar'],
  previous: ['Atendimento anterior da lista', 'Previous ticket of the list', 'Atención anterior de la lista'],
  next: ['Próximo atendimento da lista', 'Next ticket of the list', 'Siguiente atención de la lista'],
  pick: ['Escolher a linha', 'Choose the row', 'Elegir la fila'],
  pickOn: ['Escolher também a vizinha', 'Choose the neighbour too', 'Elegir también la vecina'],
  pickAll: ['Escolher as carregadas', 'Choose the loaded ones', 'Elegir las cargadas'],
  accept: ['Aceitar', 'Accept', 'Aceptar'],
  resolve: ['Resolver', 'Resolve', 'Resolver'],
  giveBack: ['Retornar', 'Return', 'Devolver'],
  transfer: ['Transferir', 'Transfer', 'Transferir'],
  remove: ['Excluir', 'Delete', 'Eliminar'],
  schedule: ['Agendar mensagem', 'Schedule a message', 'Programar mensaje'],
  views: ['Visões', 'Views', 'Vistas'],
  snooze: ['Adiar', 'Snooze', 'Posponer'],
  unread: ['Marcar como não lido', 'Mark as unread', 'Marcar como no leído'],
  pin: ['Fixar no topo, ou desafixar', 'Pin to the top, or unpin', 'Fijar arriba, o desfijar'],
  follow: ['Seguir, ou deixar de seguir', 'Follow, or stop following', 'Seguir, o dejar de seguir'],
  reopen: ['Reabrir', 'Reopen', 'Reabrir'],
  tags: ['Etiquetas', 'Tags', 'Etiquetas'],
  contact: ['Dados do contato', 'The contact', 'Datos del contacto'],
  note: ['Resposta ou nota interna', 'Answer or internal note', 'Respuesta o nota interna'],
  editLast: [
    'Editar a última mensagem, com o campo vazio',
    'Edit the last message, while the field is empty',
    'Editar el último mensaje, con el campo vacío',
  ],
  emoji: ['Emoji pelo nome', 'Emoji by its name', 'Emoji por su nombre'],
  quick: ['Resposta rápida', 'Quick answer', 'Respuesta rápida'],
  sheet: ['Esta folha', 'This sheet', 'Esta hoja'],
  commands: ['Ir para', 'Go to', 'Ir a'],
  changeHint: [
    'Clique em um atalho para trocar as teclas: Alt com uma letra, um número ou uma seta.',
    'Click a shortcut to change its keys: Alt with a letter, a number or an arrow.',
    'Haga clic en un atajo para cambiar sus teclas: Alt con una letra, un número o una flecha.',
  ],
  changeHintMac: [
    'Fora de um campo bastam ⌥ e a tecla; ao escrever, use ⌃⌥. Clique em um atalho para trocar as teclas.',
    'Outside of a field ⌥ and the key are enough; while writing use ⌃⌥. Click a shortcut to change its keys.',
    'Fuera de un campo bastan ⌥ y la tecla; al escribir, use ⌃⌥. Haga clic en un atajo para cambiar sus teclas.',
  ],
  change: [
    'Trocar o atalho de {name}: {keys}',
    'Change the shortcut of {name}: {keys}',
    'Cambiar el atajo de {name}: {keys}',
  ],
  press: ['Pressione as teclas…', 'Press the keys…', 'Presione las teclas…'],
  belongs: ['Já é de {name}', 'It is that of {name}', 'Ya es de {name}'],
  taken: ['O navegador usa essas teclas', 'The browser uses these keys', 'El navegador usa esas teclas'],
  reset: ['Voltar às teclas de fábrica', 'Back to the usual keys', 'Volver a las teclas de fábrica'],
  signs: [
    'Atalhos de uma tecla só (/ e ?)',
    'Shortcuts of a single key (/ and ?)',
    'Atajos de una sola tecla (/ y ?)',
  ],
  signsHint: [
    'Desligue se você dita ao computador.',
    'Switch them off if you dictate to the computer.',
    'Desactívelos si dicta a la computadora.',
  ],
})

export const shortcutGroups = [
  [
    'lists',
    [
      ['alt+a', 'assigned'],
      ['alt+s', 'pending'],
      ['alt+z', 'all'],
      ['alt+v', 'views'],
      ['alt+n', 'create'],
      ['/', 'search'],
      ['alt+ArrowUp', 'previous'],
      ['alt+ArrowDown', 'next'],
      ['Space', 'pick'],
      ['Shift ↓', 'pickOn'],
      ['Ctrl A', 'pickAll'],
    ],
  ],
  [
    'ticket',
    [
      ['alt+n', 'accept'],
      ['alt+1', 'resolve'],
      ['alt+2', 'giveBack'],
      ['alt+3', 'transfer'],
      ['alt+4', 'remove'],
      ['alt+5', 'schedule'],
      ['alt+6', 'snooze'],
      ['alt+7', 'unread'],
      ['alt+8', 'pin'],
      ['alt+9', 'follow'],
      ['alt+t', 'reopen'],
      ['alt+g', 'tags'],
      ['alt+c', 'contact'],
      ['ctrl+alt+n', 'note'],
      ['↑', 'editLast'],
      [':', 'emoji'],
      ['/', 'quick'],
    ],
  ],
  [
    'everywhere',
    [
      ['ctrl+k', 'commands'],
      ['?', 'sheet'],
    ],
  ],
] as const

export type ShortcutName = (typeof shortcutGroups)[number][1][number][1]
export const allShortcuts = shortcutGroups.flatMap(([, shortcuts]): (readonly [string, ShortcutName])[] => [
  ...shortcuts,
])
