import type { Feature } from '../../platform/features.ts'
import { TermsAlways } from './terms-always.tsx'

export const terms: Feature = { Always: TermsAlways }
