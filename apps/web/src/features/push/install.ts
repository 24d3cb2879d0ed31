/** What a browser offers where the app can be installed; kept by `theme.js`, since it is offered once, early. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

declare global {
  var installOffer: InstallOffer | undefined
}

export const mayInstall = () => globalThis.installOffer !== undefined

/** Answers whether it was installed. */
export async function install(): Promise<boolean> {
  const offer = globalThis.installOffer
  if (!offer) return false
  // it can be asked once
  globalThis.installOffer = undefined
  const { outcome } = await offer.prompt()
  return outcome === 'accepted'
}
