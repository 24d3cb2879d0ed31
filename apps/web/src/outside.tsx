import '@fontsource-variable/hanken-grotesk'
import './theme/tokens.css'
import './theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { wearBrand } from './outside/brand.ts'
import { Pages } from './outside/pages.tsx'
import { followLanguage } from './platform/text.ts'
import { applyTheme, followOtherTabs } from './theme/themes.ts'

applyTheme()
followOtherTabs()
followLanguage()
void wearBrand()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Pages />
  </StrictMode>,
)
