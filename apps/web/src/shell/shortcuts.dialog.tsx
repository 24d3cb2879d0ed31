import { Button, Switch } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { keysShown, keysText, shortcutKeys, signShortcuts } from '../platform/shortcuts.ts'
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

const groups = [
  [
    'lists',
    [
      ['alt+a', 'assigned'],
      ['alt+s', 'pending'],
      ['alt+z', 'all'],
      ['alt+n', 'create'],
      ['/', 'search'],
      ['alt+ArrowUp', 'previous'],
      ['alt+ArrowDown', 'next'],
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
      ['alt+t', 'reopen'],
      ['alt+g', 'tags'],
      ['alt+c', 'contact'],
      ['↑', 'editLast'],
      [':', 'emoji'],
      ['/', 'quick'],
    ],
  ],
  ['everywhere', [['?', 'sheet']]],
] as const

type What = (typeof groups)[number][1][number][1]
const all = groups.flatMap(([, shortcuts]): (readonly [string, What])[] => [...shortcuts])

/** What the keyboard does, and other keys for it. */
export default function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const [signs, setSigns] = useState(signShortcuts.areOn())
  const [, setChanges] = useState(0)
  const changed = () => setChanges(before => before + 1)
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <p className={classes.hint}>{t(/Mac/.test(navigator.platform) ? 'changeHintMac' : 'changeHint')}</p>
      {groups.map(([group, shortcuts]) => (
        <section key={group} aria-label={t(group)}>
          <h3 className={classes.head}>{t(group)}</h3>
          <dl className={classes.list}>
            {shortcuts.map(([keys, what]) => (
              <div key={what} className={classes.line}>
                <dt>{t(what)}</dt>
                <dd>
                  {keys.startsWith('alt+') ? (
                    <Changeable shortcut={keys} what={what} onChanged={changed} />
                  ) : (
                    <Shown keys={keys} />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {shortcutKeys.areChanged() && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={12}
          onClick={() => {
            shortcutKeys.reset()
            changed()
          }}
        >
          {t('reset')}
        </Button>
      )}
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

const Shown = ({ keys }: { keys: string }) =>
  keysShown(keys).map(key => (
    <kbd key={key} className={classes.key}>
      {key}
    </kbd>
  ))

/** A press starts to listen; the next keys with Alt are the new ones, Escape leaves them. */
function Changeable({ shortcut, what, onChanged }: { shortcut: string; what: What; onChanged(): void }) {
  const t = useText()
  const [isListening, setListening] = useState(false)
  const [refusal, setRefusal] = useState('')
  const stop = (why = '') => {
    setListening(false)
    setRefusal(why)
  }
  function take(event: KeyboardEvent) {
    if (!isListening || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return stop()
    const keys = shortcutKeys.pressed(event.nativeEvent)
    if (!keys) return
    const other = all.find(([one]) => one !== shortcut && shortcutKeys.of(one) === keys)
    if (other) return stop(t('belongs', { name: t(other[1]) }))
    if (shortcutKeys.isTaken(keys)) return stop(t('taken'))
    shortcutKeys.choose(shortcut, keys)
    stop()
    onChanged()
  }
  return (
    <>
      {refusal && (
        <span className={classes.refusal} role="alert">
          {refusal}
        </span>
      )}
      <button
        type="button"
        className={classes.change}
        aria-label={t('change', { name: t(what), keys: keysText(shortcut) })}
        data-mantine-stop-propagation={isListening || undefined}
        onClick={() => setListening(true)}
        onKeyDown={take}
        onBlur={() => stop()}
      >
        {isListening ? <span role="status">{t('press')}</span> : <Shown keys={shortcut} />}
      </button>
    </>
  )
}
