/** The baseline: only the six routes. */
import { serve } from './by-hand.mts';

serve();
