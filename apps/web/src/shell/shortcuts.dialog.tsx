import { Switch } from '@mantine/core'
import { useState } from 'react'
import { signShortcuts } from '../platform/shortcuts.ts'
import { texts } from '../platform/text.ts'
import { Dialog } from '../ui/dialog.tsx'
import classes from './shortcuts.module.css'

const useText = texts({
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
  accept: ['Aceitar', 'Accept', 'Aceptar'],
  resolve: ['Resolver', 'Resolve', 'Resolver'],
  giveBack: ['Retornar', 'Return', 'Devolver'],
  transfer: ['Transferir', 'Transfer', 'Transferir'],
  remove: ['Excluir', 'Delete', 'Eliminar'],
  schedule: ['Agendar mensagem', 'Schedule a message', 'Programar mensaje'],
  reopen: ['Reabrir', 'Reopen', 'Reabrir'],
  tags: ['Etiquetas', 'Tags', 'Etiquetas'],
  contact: ['Dados do contato', 'The contact', 'Datos del contacto'],
  editLast: [
    'Editar a última mensagem, com o campo vazio',
    'Edit the last message, while the field is empty',
    'Editar el último mensaje, con el campo vacío',
  ],
  emoji: ['Emoji pelo nome', 'Emoji by its name', 'Emoji por su nombre'],
  quick: ['Resposta rápida', 'Quick answer', 'Respuesta rápida'],
  sheet: ['Esta folha', 'This sheet', 'Esta hoja'],
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

const groups = [
  [
    'lists',
    [
      ['Alt A', 'assigned'],
      ['Alt S', 'pending'],
      ['Alt Z', 'all'],
      ['Alt N', 'create'],
      ['/', 'search'],
      ['Alt ↑', 'previous'],
      ['Alt ↓', 'next'],
    ],
  ],
  [
    'ticket',
    [
      ['Alt N', 'accept'],
      ['Alt 1', 'resolve'],
      ['Alt 2', 'giveBack'],
      ['Alt 3', 'transfer'],
      ['Alt 4', 'remove'],
      ['Alt 5', 'schedule'],
      ['Alt T', 'reopen'],
      ['Alt G', 'tags'],
      ['Alt C', 'contact'],
      ['↑', 'editLast'],
      [':', 'emoji'],
      ['/', 'quick'],
    ],
  ],
  ['everywhere', [['?', 'sheet']]],
] as const

/** What the keyboard does. */
export default function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const [signs, setSigns] = useState(signShortcuts.areOn())
  return (
    <Dialog title={t('title')} onClose={onClose}>
      {groups.map(([group, shortcuts]) => (
        <section key={group} aria-label={t(group)}>
          <h3 className={classes.head}>{t(group)}</h3>
          <dl className={classes.list}>
            {shortcuts.map(([keys, what]) => (
              <div key={what} className={classes.line}>
                <dt>{t(what)}</dt>
                <dd>
                  {keys.split(' ').map(key => (
                    <kbd key={key} className={classes.key}>
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Switch
        mt={16}
        label={t('signs')}
        description={t('signsHint')}
        checked={signs}
        onChange={event => {
          signShortcuts.set(event.currentTarget.checked)
          setSigns(event.currentTarget.checked)
        }}
      />
    </Dialog>
  )
}
