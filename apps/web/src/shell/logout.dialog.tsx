import { Button } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../platform/text.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'

const useText = texts({
  title: ['Sair com algo não enviado?', 'Log out with something unsent?', '¿Salir con algo sin enviar?'],
  hint_one: [
    'Em {count} conversa há um texto, um arquivo ou uma gravação que só está neste navegador. Guardado, aparece quando você entrar aqui de novo; quem usar este navegador depois não o vê aqui, mas quem conhece o navegador pode lê-lo.',
    'In {count} conversation there is a text, a file or a recording that only this browser has. Kept, it appears when you log in here again; who uses this browser next does not see it here, but who knows the browser well can read it.',
    'En {count} conversación hay un texto, un archivo o una grabación que solo está en este navegador. Si se guarda, aparece cuando usted vuelva a entrar aquí; quien use este navegador después no lo ve aquí, pero quien conozca el navegador puede leerlo.',
  ],
  hint: [
    'Em {count} conversas há textos, arquivos ou gravações que só estão neste navegador. Guardados, aparecem quando você entrar aqui de novo; quem usar este navegador depois não os vê aqui, mas quem conhece o navegador pode lê-los.',
    'In {count} conversations there are texts, files or recordings that only this browser has. Kept, they appear when you log in here again; who uses this browser next does not see them here, but who knows the browser well can read them.',
    'En {count} conversaciones hay textos, archivos o grabaciones que solo están en este navegador. Si se guardan, aparecen cuando usted vuelva a entrar aquí; quien use este navegador después no los ve aquí, pero quien conozca el navegador puede leerlos.',
  ],
  drop: ['Descartar e sair', 'Discard and log out', 'Descartar y salir'],
  keep: ['Guardar e sair', 'Keep and log out', 'Guardar y salir'],
})

/** A logout while this browser alone has something that was begun. */
export default function LogoutDialog({
  count,
  onLeave,
  onClose,
}: {
  count: number
  onLeave(isKept: boolean): void
  onClose(): void
}) {
  const t = useText()
  const [leaving, setLeaving] = useState<boolean | null>(null)
  const leave = (isKept: boolean) => {
    setLeaving(isKept)
    onLeave(isKept)
  }
  return (
    <Dialog title={t('title')} onClose={onClose}>
      {t('hint', { count })}
      <DialogActions onClose={onClose}>
        <Button
          variant="default"
          loading={leaving === false}
          disabled={leaving === true}
          onClick={() => leave(false)}
        >
          {t('drop')}
        </Button>
        <Button
          data-autofocus
          loading={leaving === true}
          disabled={leaving === false}
          onClick={() => leave(true)}
        >
          {t('keep')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
