"""The interpreter that carries out the effects of spells, stat blocks, feats and things."""
