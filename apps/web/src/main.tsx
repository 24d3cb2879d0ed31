import '@fontsource-variable/hanken-grotesk'
import '@fontsource-variable/geist-mono'
import './theme/parts.css'
import './theme/tokens.css'
import './theme/base.css'
import './theme/mantine.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followLanguage, onLanguage } from './platform/text.ts'
import { setDateLocale } from './platform/time.ts'
import { App } from './shell/app.tsx'
import { applyTheme, followOtherTabs } from './theme/themes.ts'

applyTheme()
followOtherTabs()
followLanguage()
onLanguage(setDateLocale)

// preloaded before the session is known
if (/^\/(tickets(\/|$)|$)/i.test(location.pathname))
  void import('./features/messages/tickets-screen.tsx').catch(() => {})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
