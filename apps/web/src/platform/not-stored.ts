import { notify } from './notify.tsx'
import { texts } from './text.ts'

const useText = texts({
  notStored: [
    'Este navegador não está guardando o que você ainda não enviou. Envie antes de recarregar ou fechar esta página.',
    'This browser is not storing what you have not sent yet. Send it before you reload or close this page.',
    'Este navegador no está guardando lo que aún no envió. Envíelo antes de recargar o cerrar esta página.',
  ],
})

let isShown = false

/** Once a page: a private window, or no space left. What is not sent is lost with the page. */
export function warnNotStored(): void {
  if (isShown) return
  isShown = true
  notify.warn(useText.read('notStored'), { id: 'not stored', seconds: 'stays' })
}
