import { Button, Switch } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { isOfKeys, keysShown, keysText, onMac, shortcutKeys, signShortcuts } from '../platform/shortcuts.ts'
import { Dialog } from '../ui/dialog.tsx'
import classes from './shortcuts.module.css'
import { allShortcuts, type ShortcutName, shortcutGroups, useShortcutText } from './shortcuts.text.ts'

/** What the keyboard does, and other keys for it. */
export default function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const t = useShortcutText()
  const [signs, setSigns] = useState(signShortcuts.areOn())
  const [, setChanges] = useState(0)
  const changed = () => setChanges(before => before + 1)
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <p className={classes.hint}>{t(onMac() ? 'changeHintMac' : 'changeHint')}</p>
      {shortcutGroups.map(([group, shortcuts]) => (
        <section key={group} aria-label={t(group)}>
          <h3 className={classes.head}>{t(group)}</h3>
          <dl className={classes.list}>
            {shortcuts.map(([keys, what]) => (
              <div key={what} className={classes.line}>
                <dt>{t(what)}</dt>
                <dd>
                  {isOfKeys(keys) ? (
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
function Changeable({
  shortcut,
  what,
  onChanged,
}: {
  shortcut: string
  what: ShortcutName
  onChanged(): void
}) {
  const t = useShortcutText()
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
    const other = allShortcuts.find(([one]) => one !== shortcut && shortcutKeys.of(one) === keys)
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
